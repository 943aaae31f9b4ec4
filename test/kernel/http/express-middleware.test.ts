import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import compression from "compression";
import timeout from "connect-timeout";
import cookieParser from "cookie-parser";
import { csrfSync } from "csrf-sync";
import express, { type ErrorRequestHandler, type Request } from "express";
import proxy from "express-http-proxy";
import session from "express-session";
import morgan from "morgan";
import multer from "multer";
import passport from "passport";
import responseTime from "response-time";
import serveStatic from "serve-static";
import type { SiteContext } from "#kernel";
import { useFolder } from "../../support/folder.js";
import { bootProbe } from "../../support/sites/probe-site.js";
import type { TestSite } from "../../support/sites/boot-site.js";

/** Express middlewares as their own documentation mounts them, in the plugin of a site. */
describe("Express middleware in a plugin", () => {
  const folder = useFolder();
  let site: TestSite | null = null;
  let origin: Server | null = null;
  afterEach(async () => {
    await site?.close();
    origin?.close();
    site = origin = null;
  });
  async function mount(setup: (site: SiteContext) => void): Promise<TestSite> {
    site = await bootProbe(setup);
    return site;
  }
  async function mountWith(
    plugins: string[],
    setup: (site: SiteContext) => void,
  ): Promise<TestSite> {
    site = await bootProbe(setup, { plugins });
    return site;
  }

  it("compression compresses what a router sends", async () => {
    const router = express.Router();
    router.use(compression({ threshold: 0 }));
    router.get("/long", (_req, res) => res.type("text/plain").send("word ".repeat(500)));
    const { fetch } = await mount(({ http }) => http.router("/squeezed", router));
    const response = await fetch("/squeezed/long", { headers: { "accept-encoding": "gzip" } });
    assert.equal(response.headers.get("content-encoding"), "gzip");
    assert.equal((await response.text()).length, 2_500);
  });

  it("morgan logs each request with its status", async () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line.trim()) };
    const { fetch } = await mount(({ http }) => {
      http.use("identity", morgan(":method :url :status", { stream }));
      http.router("/hello", (_req, res) => res.status(201).end());
    });
    await (await fetch("/hello?x=1")).text();
    await (await fetch("/missing")).text();
    assert.deepEqual(lines, ["GET /hello?x=1 201", "GET /missing 404"]);
  });

  it("cookie-parser reads cookies, plain and signed", async () => {
    const { fetch } = await mount(({ http }) => {
      http.use("identity", cookieParser("a secret"));
      http.router("/set", (_req, res) => res.cookie("b", "2", { signed: true }).end());
      http.router("/get", (req, res) => res.json({ ...req.cookies, ...req.signedCookies }));
    });
    const [signed = ""] = (await fetch("/set")).headers.getSetCookie();
    const cookie = `a=1; ${signed.split(";")[0]}`;
    assert.deepEqual(await (await fetch("/get", { headers: { cookie } })).json(), {
      a: "1",
      b: "2",
    });
  });

  it("passport authenticates with a strategy and a session", async () => {
    const auth = new passport.Passport();
    auth.use("key", {
      authenticate(this: passport.StrategyCreated<passport.Strategy>, req: Request) {
        if (req.query["key"] === "right") this.success({ name: "ann" });
        else this.fail(401);
      },
    });
    auth.serializeUser((user, done) => done(null, user));
    auth.deserializeUser<Express.User>((user, done) => done(null, user));
    const router = express.Router();
    router.use(session({ secret: "s", resave: false, saveUninitialized: false }));
    router.use(auth.session());
    router.get("/login", auth.authenticate("key"), (req, res) => res.json(req.user));
    router.get("/me", (req, res) => res.json(req.user ?? null));
    const { fetch } = await mount(({ http }) => http.router("/members", router));
    assert.equal((await fetch("/members/login?key=wrong")).status, 401);
    const response = await fetch("/members/login?key=right");
    assert.deepEqual(await response.json(), { name: "ann" });
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
    assert.deepEqual(await (await fetch("/members/me", { headers: { cookie } })).json(), {
      name: "ann",
    });
    assert.equal(await (await fetch("/members/me")).json(), null);
  });

  it("csrf-sync rejects a form without its token, and an error handler of the plugin answers", async () => {
    const { csrfSynchronisedProtection, generateToken } = csrfSync();
    const onError: ErrorRequestHandler = (error: { code?: string }, _req, res, next) =>
      error.code === "EBADCSRFTOKEN" ? res.status(403).send("try again") : next(error);
    const router = express.Router();
    router.use(session({ secret: "s", resave: false, saveUninitialized: true }));
    router.use(csrfSynchronisedProtection);
    router.get("/token", (req, res) => res.json({ token: generateToken(req) }));
    router.post("/send", (_req, res) => res.send("sent"));
    router.use(onError);
    const { fetch } = await mount(({ http }) => http.router("/form", router));
    const response = await fetch("/form/token");
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
    const { token } = (await response.json()) as { token: string };
    const send = (headers: Record<string, string>) =>
      fetch("/form/send", { method: "POST", headers });
    const refused = await send({ cookie });
    assert.deepEqual([refused.status, await refused.text()], [403, "try again"]);
    assert.equal(await (await send({ cookie, "x-csrf-token": token })).text(), "sent");
  });

  it("multer reads a multipart form", async () => {
    const router = express.Router();
    router.post("/", multer().single("file"), (req, res) =>
      res.json({ name: req.file?.originalname, size: req.file?.size, title: req.body.title }),
    );
    const { fetch } = await mount(({ http }) => http.router("/take", router));
    const body = new FormData();
    body.set("title", "Notes");
    body.set("file", new Blob(["hello"]), "a.txt");
    const response = await fetch("/take", { method: "POST", body });
    assert.deepEqual(await response.json(), { name: "a.txt", size: 5, title: "Notes" });
  });

  it("serve-static serves a folder, with ranges and conditional requests", async () => {
    await mkdir(join(folder.path, "files"));
    await writeFile(join(folder.path, "files", "a.txt"), "0123456789");
    const { fetch } = await mount(({ http }) => {
      http.router("/files", serveStatic(join(folder.path, "files")));
    });
    const whole = await fetch("/files/a.txt");
    assert.equal(await whole.text(), "0123456789");
    const etag = whole.headers.get("etag") ?? "";
    const again = await fetch("/files/a.txt", {
      headers: { "if-none-match": etag, "cache-control": "max-age=0" },
    });
    assert.equal(again.status, 304);
    const part = await fetch("/files/a.txt", { headers: { range: "bytes=2-4" } });
    assert.deepEqual([part.status, await part.text()], [206, "234"]);
    assert.equal((await fetch("/files/none.txt")).status, 404);
    assert.equal((await fetch("/files/..%2f..%2fetc%2fpasswd")).status, 404);
  });

  it("express-http-proxy passes a path on to another server", async () => {
    origin = createServer((req, res) => res.end(`from ${req.url}`)).listen(0, "127.0.0.1");
    await once(origin, "listening");
    const address = origin.address();
    assert.ok(typeof address === "object" && address !== null);
    const { fetch } = await mount(({ http }) =>
      http.router("/other", proxy(`http://127.0.0.1:${address.port}`)),
    );
    assert.equal(await (await fetch("/other/a?b=1")).text(), "from /a?b=1");
  });

  it("response-time adds its header", async () => {
    const { fetch } = await mount(({ http }) => {
      http.use("identity", responseTime());
      http.router("/timed", (_req, res) => res.send("ok"));
    });
    assert.match((await fetch("/timed")).headers.get("x-response-time") ?? "", /^[\d.]+ms$/);
  });

  it("connect-timeout ends a request that takes too long with 503", async () => {
    const { fetch } = await mount(({ http }) =>
      http.router(
        "/slow",
        express.Router().use(timeout(20), () => undefined),
      ),
    );
    assert.equal((await fetch("/slow")).status, 503);
  });

  it("a whole Express app mounts below a path, in the phase that it names", async () => {
    const app = express();
    app.get("/:name", (req, res) => res.json({ name: req.params["name"], at: app.mountpath }));
    const { fetch } = await mount(({ http }) => http.router("/app", app, { phase: "pages" }));
    assert.deepEqual(await (await fetch("/app/x")).json(), { name: "x", at: "/app" });
    assert.equal((await fetch("/application")).status, 404);
  });

  it("a router and a route add sources to the policy of their own responses", async () => {
    const csp = { "style-src": ["'unsafe-inline'"], "font-src": ["https://fonts.example"] };
    const { fetch } = await mountWith(["security"], ({ http }) => {
      const docs = express.Router();
      docs.get("/", (_req, res) => res.send("<style>p { color: red }</style>"));
      http.router("/docs", docs, { csp });
      http.router("/plain", (_req: Request, res: express.Response) => res.send("plain"));
      http.route({
        method: "get",
        path: "/api/styled",
        summary: "Styled",
        csp,
        handler: (req, res) => http.send(req, res, { type: "text/html", body: "styled" }),
      });
      http.route({
        method: "get",
        path: "/api/nonce",
        summary: "With a nonce",
        csp,
        handler: (req, res) => http.send(req, res, { type: "text/html", body: req.ctx.nonce() }),
      });
    });
    const policy = async (path: string): Promise<string> =>
      (await fetch(path)).headers.get("content-security-policy") ?? "";
    for (const path of ["/docs", "/api/styled"]) {
      const text = await policy(path);
      assert.match(text, /style-src 'self' 'unsafe-inline'/, path);
      assert.match(text, /font-src 'self' https:\/\/fonts\.example/, path);
      assert.match(text, /script-src 'self';/, path);
    }
    assert.match(await policy("/api/nonce"), /style-src 'self' 'nonce-[^ ]+' 'unsafe-inline'/);
    for (const path of ["/plain", "/docsearch", "/"]) {
      assert.doesNotMatch(await policy(path), /unsafe-inline/, path);
    }
  });
});
