/** What each middleware of `middlewares.mjs` must do, asked by HTTP of a server with the plugin. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A server with the plugin: `site serve` of the installed package, or a test site. */
export interface MiddlewareSite {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The site root. */
  root: string;
}

const json = async (response: Response): Promise<unknown> => JSON.parse(await response.text());

/** The `Cookie` header of a browser that got these cookies. */
const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");

const form = (): FormData => {
  const body = new FormData();
  body.set("title", "Notes");
  body.set("file", new Blob(["hello"]), "a.txt");
  return body;
};

/** Checks by the name of the package. */
export const requests: Readonly<Record<string, (site: MiddlewareSite) => Promise<void>>> = {
  async compression({ fetch }) {
    const response = await fetch("/mw/compression/", { headers: { "accept-encoding": "gzip" } });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-encoding"), "gzip");
    assert.equal((await response.text()).length, 2_500);
  },

  async morgan({ fetch }) {
    assert.equal((await fetch("/")).status, 200);
    await (await fetch("/mw/missing?x=1")).text();
    const lines = await json(await fetch("/mw/morgan/lines"));
    assert.ok(Array.isArray(lines) && lines.includes("GET /mw/missing?x=1 404"), String(lines));
  },

  async "cookie-parser"({ fetch }) {
    const cookie = `a=1; ${cookiesOf(await fetch("/mw/cookie-parser/set"))}`;
    const read = await fetch("/mw/cookie-parser/get", { headers: { cookie } });
    assert.deepEqual(await json(read), { a: "1", b: "2" });
  },

  async "express-session with a store of its own"({ fetch, root }) {
    const first = await fetch("/mw/express-session/");
    assert.deepEqual(await json(first), { views: 1 });
    const cookie = cookiesOf(first);
    assert.match(cookie, /^own\.sid=/);
    const second = await fetch("/mw/express-session/", { headers: { cookie } });
    assert.deepEqual(await json(second), { views: 2 });
    assert.ok((await readdir(join(root, "own-sessions"))).length > 0);
  },

  async "cookie-session"({ fetch }) {
    const first = await fetch("/mw/cookie-session/");
    assert.deepEqual(await json(first), { views: 1 });
    const headers = { cookie: cookiesOf(first) };
    assert.deepEqual(await json(await fetch("/mw/cookie-session/", { headers })), { views: 2 });
  },

  async "passport with sessions"({ fetch }) {
    assert.equal((await fetch("/mw/passport/login?key=wrong")).status, 401);
    const login = await fetch("/mw/passport/login?key=right");
    assert.deepEqual(await json(login), { name: "ann" });
    const headers = { cookie: cookiesOf(login) };
    assert.deepEqual(await json(await fetch("/mw/passport/me", { headers })), { name: "ann" });
    assert.equal(await json(await fetch("/mw/passport/me")), null);
  },

  async "response-time"({ fetch }) {
    const { headers } = await fetch("/mw/response-time/");
    assert.match(headers.get("x-response-time") ?? "", /^[\d.]+ms$/);
  },

  async "on-finished"({ fetch }) {
    await (await fetch("/mw/nowhere")).text();
    const ended = await json(await fetch("/mw/on-finished/ended"));
    assert.ok(Array.isArray(ended) && ended.includes("/mw/nowhere 404"), String(ended));
  },

  async multer({ fetch }) {
    const response = await fetch("/mw/multer/", { method: "POST", body: form() });
    assert.deepEqual(await json(response), { name: "a.txt", size: 5, title: "Notes" });
  },

  async busboy({ fetch }) {
    const response = await fetch("/mw/busboy/", { method: "POST", body: form() });
    assert.deepEqual(await json(response), {
      title: "Notes",
      file: { filename: "a.txt", size: 5 },
    });
  },

  async "connect-timeout"({ fetch }) {
    assert.equal((await fetch("/mw/connect-timeout/")).status, 503);
  },

  async "serve-static"({ fetch }) {
    const whole = await fetch("/mw/serve-static/a.txt");
    assert.equal(await whole.text(), "0123456789");
    const conditional = {
      "if-none-match": whole.headers.get("etag") ?? "",
      "cache-control": "max-age=0",
    };
    assert.equal((await fetch("/mw/serve-static/a.txt", { headers: conditional })).status, 304);
    const part = await fetch("/mw/serve-static/a.txt", { headers: { range: "bytes=2-4" } });
    assert.deepEqual([part.status, await part.text()], [206, "234"]);
    assert.equal((await fetch("/mw/serve-static/none.txt")).status, 404);
    assert.equal((await fetch("/mw/serve-static/..%2f..%2fetc%2fpasswd")).status, 404);
  },

  async "serve-index"({ fetch }) {
    const response = await fetch("/mw/serve-index/", { headers: { accept: "text/html" } });
    assert.match(await response.text(), /a\.txt/);
    const list = await fetch("/mw/serve-index/", { headers: { accept: "application/json" } });
    assert.deepEqual(await json(list), ["a.txt"]);
  },

  async "http-proxy-middleware"({ fetch }) {
    const response = await fetch("/mw/http-proxy-middleware/a?b=1");
    assert.equal(await response.text(), "GET /a?b=1");
    const posted = await fetch("/mw/http-proxy-middleware/c", { method: "POST", body: "x" });
    assert.equal(await posted.text(), "POST /c");
  },

  async "express-http-proxy"({ fetch }) {
    assert.equal(await (await fetch("/mw/express-http-proxy/a?b=1")).text(), "GET /a?b=1");
  },

  async "csrf-sync"({ fetch }) {
    const response = await fetch("/mw/csrf-sync/token");
    const cookie = cookiesOf(response);
    const { token } = (await response.json()) as { token: string };
    const send = (headers: Record<string, string>): Promise<Response> =>
      fetch("/mw/csrf-sync/", { method: "POST", headers });
    const rejected = await send({ cookie });
    assert.deepEqual([rejected.status, await rejected.text()], [403, "try again"]);
    assert.equal(await (await send({ cookie, "x-csrf-token": token })).text(), "sent");
  },

  async "express-validator"({ fetch }) {
    assert.equal(
      await (await fetch("/mw/express-validator/?person=%3Cb%3E")).text(),
      "Hello, &lt;b&gt;!",
    );
    const { errors } = (await (await fetch("/mw/express-validator/")).json()) as {
      errors: { path: string }[];
    };
    assert.equal(errors[0]?.path, "person");
  },

  async "graphql-http"({ fetch }) {
    const response = await fetch("/mw/graphql-http/graphql", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "{ hello }" }),
    });
    assert.deepEqual(await json(response), { data: { hello: "world" } });
  },

  async "swagger-ui-express"({ fetch }) {
    const page = await fetch("/mw/swagger-ui-express/");
    assert.match(await page.text(), /<title>Swagger UI<\/title>/);
    const script = await fetch("/mw/swagger-ui-express/swagger-ui-bundle.js");
    assert.equal(script.status, 200);
    assert.match(script.headers.get("content-type") ?? "", /javascript/);
  },

  async ws({ fetch }) {
    assert.equal(await (await fetch("/mw/ws/")).text(), "echo hello");
  },

  async "a whole Express app"({ fetch }) {
    const { version, ...rest } = (await (await fetch("/mw/app/x")).json()) as { version: string };
    assert.deepEqual(rest, { name: "x", at: "/mw/app" });
    assert.match(version, /^5\./);
    assert.equal((await fetch("/mw/application")).status, 404);
  },
};
