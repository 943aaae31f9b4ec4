// Middlewares and apps of npm in the plugin of a site, each mounted as its own README says.
import { createServer } from "node:http";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import busboy from "busboy";
import compression from "compression";
import timeout from "connect-timeout";
import cookieParser from "cookie-parser";
import cookieSession from "cookie-session";
import { csrfSync } from "csrf-sync";
import express from "express";
import expressProxy from "express-http-proxy";
import session from "express-session";
import { matchedData, query, validationResult } from "express-validator";
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from "graphql";
import { createHandler } from "graphql-http/lib/use/express";
import { createProxyMiddleware } from "http-proxy-middleware";
import morgan from "morgan";
import multer from "multer";
import onFinished from "on-finished";
import passport from "passport";
import responseTime from "response-time";
import serveIndex from "serve-index";
import serveStatic from "serve-static";
import swaggerUi from "swagger-ui-express";
import { WebSocket, WebSocketServer } from "ws";
import { definePlugin } from "sitewright";

/** The three methods that express-session requires of a store. */
class FileStore extends session.Store {
  constructor(folder) {
    super();
    this.folder = folder;
  }
  file(sid) {
    return join(this.folder, `${encodeURIComponent(sid)}.json`);
  }
  get(sid, done) {
    readFile(this.file(sid), "utf8").then(
      (text) => done(null, JSON.parse(text)),
      () => done(null, null),
    );
  }
  set(sid, data, done) {
    void mkdir(this.folder, { recursive: true })
      .then(() => writeFile(this.file(sid), JSON.stringify(data)))
      .then(
        () => done(null),
        (error) => done(error),
      );
  }
  destroy(sid, done) {
    void rm(this.file(sid), { force: true }).then(
      () => done(null),
      (error) => done(error),
    );
  }
}

export default definePlugin({
  name: "middlewares",
  version: "1.0.0",
  requires: ["session"],
  async setup(site) {
    const { http } = site;
    const folder = join(site.paths.root, "served");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "a.txt"), "0123456789");
    const mount = (name, ...handlers) => {
      const router = express.Router();
      for (const handler of handlers) router.use(handler);
      http.router(`/mw/${name}`, router);
      return router;
    };

    // For every request, as `app.use` in their READMEs.
    const lines = [];
    http.use(
      "identity",
      morgan(":method :url :status", { stream: { write: (line) => lines.push(line.trim()) } }),
    );
    http.use("identity", responseTime());
    http.use("identity", cookieParser("a secret"));
    const ended = [];
    http.use("identity", (req, res, next) => {
      onFinished(res, (_error, response) => ended.push(`${req.url} ${response.statusCode}`));
      next();
    });
    mount("morgan").get("/lines", (_req, res) => res.json(lines));
    mount("on-finished").get("/ended", (_req, res) => res.json(ended));
    mount("cookie-parser")
      .get("/set", (_req, res) => res.cookie("b", "2", { signed: true }).end())
      .get("/get", (req, res) => res.json({ ...req.cookies, ...req.signedCookies }));

    mount("compression", compression()).get("/", (_req, res) =>
      res.type("text/plain").send("word ".repeat(500)),
    );

    // As /extend/routes says: the site's own session would come first.
    site.use("session").ownSessionBelow("/mw/express-session");
    mount(
      "express-session",
      session({
        name: "own.sid",
        secret: "keyboard cat",
        resave: false,
        saveUninitialized: true,
        store: new FileStore(join(site.paths.root, "own-sessions")),
      }),
    ).get("/", (req, res) => {
      req.session.views = (req.session.views ?? 0) + 1;
      res.json({ views: req.session.views });
    });

    mount("cookie-session", cookieSession({ name: "own-session", keys: ["k1", "k2"] })).get(
      "/",
      (req, res) => {
        req.session.views = (req.session.views ?? 0) + 1;
        res.json({ views: req.session.views });
      },
    );

    const auth = new passport.Passport();
    auth.use("key", {
      authenticate(req) {
        if (req.query.key === "right") this.success({ name: "ann" });
        else this.fail(401);
      },
    });
    auth.serializeUser((user, done) => done(null, user));
    auth.deserializeUser((user, done) => done(null, user));
    mount(
      "passport",
      session({ secret: "keyboard cat", resave: false, saveUninitialized: false }),
      auth.authenticate("session"),
    )
      .get("/login", auth.authenticate("key"), (req, res) => res.json(req.user))
      .get("/me", (req, res) => res.json(req.user ?? null));

    mount("response-time").get("/", (_req, res) => res.send("ok"));

    mount("multer").post("/", multer().single("file"), (req, res) =>
      res.json({ name: req.file?.originalname, size: req.file?.size, title: req.body.title }),
    );

    mount("busboy").post("/", (req, res) => {
      const found = {};
      const parser = busboy({ headers: req.headers });
      parser.on("file", (name, file, { filename }) => {
        let size = 0;
        file.on("data", (chunk) => (size += chunk.length));
        file.on("close", () => (found[name] = { filename, size }));
      });
      parser.on("field", (name, value) => (found[name] = value));
      parser.on("close", () => res.json(found));
      req.pipe(parser);
    });

    mount("connect-timeout", timeout("50ms"), () => undefined);

    mount("serve-static", serveStatic(folder));
    mount("serve-index", serveIndex(folder, { icons: true }));

    const other = createServer((req, res) => res.end(`${req.method} ${req.url}`));
    await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
    other.unref();
    site.lifecycle.onClose(() => void other.close());
    const origin = `http://127.0.0.1:${other.address().port}`;
    mount("http-proxy-middleware", createProxyMiddleware({ target: origin, changeOrigin: true }));
    mount("express-http-proxy", expressProxy(origin));

    const { csrfSynchronisedProtection, generateToken } = csrfSync();
    mount(
      "csrf-sync",
      session({ secret: "keyboard cat", resave: false, saveUninitialized: true }),
      csrfSynchronisedProtection,
    )
      .get("/token", (req, res) => res.json({ token: generateToken(req) }))
      .post("/", (_req, res) => res.send("sent"))
      .use((error, _req, res, next) =>
        error.code === "EBADCSRFTOKEN" ? res.status(403).send("try again") : next(error),
      );

    mount("express-validator").get("/", query("person").notEmpty().escape(), (req, res) => {
      const result = validationResult(req);
      if (result.isEmpty()) return res.send(`Hello, ${matchedData(req).person}!`);
      return res.send({ errors: result.array() });
    });

    const schema = new GraphQLSchema({
      query: new GraphQLObjectType({
        name: "Query",
        fields: { hello: { type: GraphQLString, resolve: () => "world" } },
      }),
    });
    const graphql = express();
    graphql.all("/graphql", createHandler({ schema }));
    http.router("/mw/graphql-http", graphql);

    mount(
      "swagger-ui-express",
      swaggerUi.serve,
      swaggerUi.setup({ openapi: "3.0.0", info: { title: "Own", version: "1" }, paths: {} }),
    );

    // A server of its own beside the site's, on its own port, as in the README of ws.
    const echo = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    echo.on("connection", (ws) => ws.on("message", (data) => ws.send(`echo ${data}`)));
    site.lifecycle.onClose(() => echo.close());
    mount("ws").get("/", (_req, res) => {
      const client = new WebSocket(`ws://127.0.0.1:${echo.address().port}`);
      client.on("open", () => client.send("hello"));
      client.on("message", (data) => {
        client.close();
        res.send(String(data));
      });
    });

    const { version } = createRequire(import.meta.url)("express/package.json");
    const app = express();
    app.get("/:name", (req, res) =>
      res.json({ name: req.params.name, at: app.mountpath, version }),
    );
    http.router("/mw/app", app, { phase: "pages" });
  },
});
