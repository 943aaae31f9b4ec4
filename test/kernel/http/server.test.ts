import assert from "node:assert/strict";
import { once } from "node:events";
import type { Response } from "express";
import { definePlugin } from "#kernel";
import { z } from "zod";
import { RecordedLog } from "#lib/testing";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { getLine, rawRequest } from "../../support/servers/raw-request.js";

/** How the connection was when the chunk was written, and in a later turn. */
const large = { corked: -1, corkedLater: -1 };

async function sendLarge(res: Response): Promise<void> {
  const { socket } = res;
  const drained = once(res, "drain");
  res.write(Buffer.alloc(300_000));
  await new Promise((resolve) => process.nextTick(resolve));
  large.corked = socket?.writableCorked ?? -1;
  await drained;
  large.corkedLater = socket?.writableCorked ?? -1;
}

const probe = definePlugin({
  name: "probe",
  version: "1.0.0",
  setup({ http }) {
    http.jsonPrefix("/api");
    http.route({
      method: "get",
      path: "/api/echo",
      summary: "echo",
      query: z.object({ limit: z.string().regex(/^\d+$/).optional() }),
      handler: (req, res, { query }) =>
        http.json(req, res, { query, user: req.headers["x-site-user"] ?? null, ip: req.ctx.ip }),
    });
    http.route({
      method: "post",
      path: "/api/echo",
      summary: "echo",
      body: { as: "json", limit: 1_000 },
      handler: (req, res, { body }) => http.json(req, res, { body }),
    });
    http.route({
      method: "get",
      path: "/api/fails",
      summary: "fails",
      handler: () => {
        throw new Error("secret /etc/canary");
      },
    });
    http.use("pages", (req, res, next) => {
      if (req.ctx.path === "/large") void sendLarge(res).then(() => res.end());
      else if (req.ctx.path === "/hello")
        http.send(req, res, { type: "text/html", body: "<p>hello" });
      else next();
    });
  },
});

describe("the server", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ plugins: ["health", "security"], extraPlugins: [probe] });
  });
  after(() => site.close());

  it("writes a large chunk of any handler in a turn of its own", async () => {
    assert.equal((await (await site.fetch("/large")).arrayBuffer()).byteLength, 300_000);
    assert.deepEqual(large, { corked: 1, corkedLater: 0 });
  });

  const raw = (bytes: string | Buffer) => rawRequest(site.url, bytes);

  const TRAVERSALS = [
    "/content-media/../../../../etc/passwd",
    "/content-media/%2e%2e%2f%2e%2e%2fetc/passwd",
    "/content-media/..%2fetc%2fpasswd",
    "/content-media/..%5cetc%5cpasswd",
    "/content-media/%252e%252e%252fetc/passwd",
    "/%c0%ae%c0%ae/etc/passwd",
    "/%u002e%u002e/etc/passwd",
    "/a%00.jpg",
    "/%2fetc/passwd",
    "/C:%5cwindows",
  ];
  for (const target of TRAVERSALS) {
    it(`responds 400 or 404 to ${target}`, async () => {
      const { status, body } = await raw(getLine(target));
      assert.ok(status === 400 || status === 404, `status ${status}`);
      assert.doesNotMatch(body, /root:/);
    });
  }

  it("responds 400 with a JSON error and no stack to a bad percent escape", async () => {
    const { status, body } = await raw(getLine("/api/%E0%A4%A"));
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(JSON.parse(body)), ["error"]);
    assert.equal((await raw(getLine("/%ZZ"))).status, 400);
  });

  for (const target of [
    "//",
    "//[",
    "//evil.example/auth/me",
    "http://evil.example/x",
    "http://[::1",
    "*",
  ]) {
    it(`routes ${target} by path only`, async () => {
      const { status, text } = await raw(getLine(target));
      assert.ok(status === 400 || status === 404, `status ${status}`);
      assert.doesNotMatch(text, /evil\.example/);
    });
  }

  for (const host of ["a b", "a/b", "a@b", "<x>", "a?b", "a#b", "a\\b", "ä", "%4", "[::1", "a:b"]) {
    it(`responds 400 to the invalid Host ${JSON.stringify(host)}`, async () => {
      assert.equal((await raw(`GET /hello HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status, 400);
    });
  }

  for (const host of [
    "a",
    "A.example:8000",
    "127.0.0.1:80",
    "[::1]:80",
    "a_b",
    "x%20y",
    "a:",
    "",
  ]) {
    it(`accepts the Host ${JSON.stringify(host)}`, async () => {
      assert.equal((await raw(`GET /hello HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status, 200);
    });
  }

  it("rejects two Host headers and none", async () => {
    assert.equal((await raw("GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")).status, 400);
    assert.equal((await raw("GET /hello HTTP/1.1\r\n\r\n")).status, 400);
  });

  const SMUGGLED = [
    "POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd",
    "POST /api/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "GET /hello HTTP/1.1\r\nHost : a\r\n\r\n",
  ];
  for (const [at, bytes] of SMUGGLED.entries()) {
    it(`responds 400 and closes on smuggling attempt ${at + 1}`, async () => {
      const { status, headers } = await raw(bytes);
      assert.equal(status, 400);
      assert.equal(headers["connection"], "close");
    });
  }

  it("survives prototype names as headers and rejects 17 KB of them", async () => {
    const odd = ["__proto__: 1", "constructor: 2", "prototype: 3"];
    assert.equal((await raw(getLine("/hello", odd))).status, 200);
    assert.equal((await raw(getLine("/hello", [`x-long: ${"a".repeat(17_000)}`]))).status, 431);
  });

  it("rejects other methods with Allow, and TRACE always", async () => {
    const refused = await site.fetch("/api/echo", { method: "DELETE" });
    assert.equal(refused.status, 405);
    assert.equal(refused.headers.get("allow"), "GET, HEAD, POST");
    assert.equal((await site.fetch("/hello", { method: "PUT" })).status, 200);
    assert.equal((await raw("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n")).status, 405);
    const overridden = await site.fetch("/api/echo", {
      headers: { "X-HTTP-Method-Override": "DELETE" },
    });
    assert.equal(overridden.status, 200);
  });

  it("sends the headers of GET and no body for HEAD", async () => {
    const head = await site.fetch("/api/echo", { method: "HEAD" });
    const get = await site.fetch("/api/echo");
    assert.equal(head.headers.get("content-length"), get.headers.get("content-length"));
    assert.equal(await head.text(), "");
  });

  it("responds 400 to an array, an object and unlimited nesting for a single value", async () => {
    for (const query of ["limit[]=2", "limit[a]=2", "limit=2&limit=3", "limit=x"]) {
      const answer = await site.fetch(`/api/echo?${query}`);
      assert.equal(answer.status, 400, query);
      assert.match(((await answer.json()) as { error: string }).error, /^limit: /);
    }
    const deep = `a${"[b]".repeat(200)}=1`;
    assert.equal((await site.fetch(`/api/echo?${deep}`)).status, 200);
    assert.equal((await site.fetch(`/api/echo?q=${"x".repeat(9_000)}`)).status, 414);
  });

  it("ignores __proto__ in a query", async () => {
    const answer = await site.fetch("/api/echo?__proto__[limit]=9&constructor[prototype][x]=1");
    assert.equal(answer.status, 200);
    assert.deepEqual(((await answer.json()) as { query: object }).query, {});
  });

  const post = (body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
    site.fetch("/api/echo", { method: "POST", body, headers: { "Content-Type": type } });

  it("responds 413 to a body above the limit, declared or chunked", async () => {
    assert.equal((await post(JSON.stringify({ a: "x".repeat(2_000) }))).status, 413);
    const chunk = `7d0\r\n${"x".repeat(2_000)}\r\n0\r\n\r\n`;
    const head = "POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
    assert.equal((await raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`)).status, 413);
  });

  for (const body of ["", "{", "[1]", "null", '"x"', "1", "{a:1}", "{}x"]) {
    it(`responds 400 to the JSON body ${JSON.stringify(body)}`, async () => {
      assert.equal((await post(body)).status, 400);
    });
  }

  it("responds 400 to invalid UTF-8 and to deep nesting, 415 to another charset", async () => {
    assert.equal((await post(Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).status, 400);
    assert.equal((await post(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`)).status, 400);
    assert.equal((await post("{}", "application/json; charset=utf-16")).status, 415);
    const bom = Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]);
    assert.equal((await post(bom)).status, 200);
  });

  it("responds 415 to a compressed body and to another content type", async () => {
    const zipped = await site.fetch("/api/echo", {
      method: "POST",
      body: "xx",
      headers: { "Content-Type": "application/json", "Content-Encoding": "gzip" },
    });
    assert.equal(zipped.status, 415);
    assert.equal((await post("{}", "text/plain")).status, 415);
  });

  it("survives clients that disconnect at once", async () => {
    for (let at = 0; at < 50; at += 1) {
      void rawRequest(site.url, getLine("/hello").slice(0, at), 1).catch(() => undefined);
    }
    assert.equal((await site.fetch("/health/live")).status, 200);
  });

  it("never parses the rest of a rejected body as a request", async () => {
    const hidden = `${"x".repeat(5_000)}GET /hello HTTP/1.1\r\nHost: a\r\n\r\n`;
    const head = `POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`;
    const { text } = await raw(head + hidden);
    assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1);
    assert.match(text, /^HTTP\/1\.1 413/);
  });

  it("reads the whole of a rejected body, so that its response arrives", async () => {
    const head = `POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20000000\r\n\r\n`;
    const { status } = await raw(head + "x".repeat(20_000_000));
    assert.equal(status, 413);
  });

  it("responds to an upgrade and closes", async () => {
    const upgrade =
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    const { status, headers } = await raw(upgrade);
    assert.equal(status, 426);
    assert.equal(headers["connection"], "close");
  });

  it("sends the security headers with every response, and no X-Powered-By", async () => {
    for (const path of [
      "/hello",
      "/nothing",
      "/api/echo",
      "/api/nothing",
      "/api/fails",
      "/health/live",
    ]) {
      const { headers } = await site.fetch(path);
      assert.equal(headers.get("x-content-type-options"), "nosniff", path);
      assert.ok(headers.get("referrer-policy"), path);
      assert.match(headers.get("content-security-policy") ?? "", /script-src 'self'(;|$)/, path);
      assert.equal(headers.get("x-powered-by"), null, path);
    }
  });

  it("responds 500 without the message, a path or a stack when a handler fails", async () => {
    const answer = await site.fetch("/api/fails");
    assert.equal(answer.status, 500);
    assert.deepEqual(await answer.json(), { error: "Internal server error" });
  });

  it("responds 404 in JSON below a JSON prefix and in text to a browser elsewhere", async () => {
    const api = await site.fetch("/api/nothing");
    assert.deepEqual([api.status, await api.json()], [404, { error: "Not found" }]);
    const page = await site.fetch("/nothing", { headers: { Accept: "text/html" } });
    assert.equal(page.status, 404);
    assert.doesNotMatch(await page.text(), /nothing/);
  });

  it("responds 503 with Retry-After to everything but health until it is ready", async () => {
    let release = (): void => undefined;
    const slow = definePlugin({
      name: "slow",
      version: "1.0.0",
      setup: ({ lifecycle: { onReady } }) =>
        onReady(() => new Promise<void>((resolve) => void (release = resolve))),
    });
    const { createSite, createEnv } = await import("#kernel");
    const { firstParty } = await import("../../../plugins/main.js");
    const log = new RecordedLog();
    const starting = await createSite(site.root, {
      firstParty,
      env: createEnv({ SITE_ENV: "dev" }),
      log: log.logger,
      selection: ["health"],
      extraPlugins: [slow],
    });
    const url = `http://127.0.0.1:${await starting.listen(0)}`;
    assert.equal((await fetch(`${url}/health/live`)).status, 200);
    assert.equal((await fetch(`${url}/health/ready`)).status, 503);
    const refused = await fetch(`${url}/anything`);
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
    const levels = log.of("request.refused").map(({ level }) => level);
    assert.deepEqual(levels, ["debug"]);
    release();
    await starting.ready;
    assert.equal((await fetch(`${url}/health/ready`)).status, 200);
    await starting.close();
  });

  it("names the port that is in use", async () => {
    const { createServer } = await import("node:net");
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const { createSite, createEnv } = await import("#kernel");
    const { silentLog } = await import("#kernel");
    const { firstParty } = await import("../../../plugins/main.js");
    const env = createEnv({ SITE_ENV: "dev" });
    const second = await createSite(site.root, {
      firstParty,
      env,
      log: silentLog,
      selection: ["health"],
    });
    await assert.rejects(second.listen(port), { code: "ERR_PORT_IN_USE" });
    await second.close();
    other.close();
  });
});
