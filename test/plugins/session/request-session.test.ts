import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import express, { type Request } from "express";
import session from "express-session";
import passport from "passport";
import type { SiteContext } from "#kernel";
import type { SessionStore } from "../../../plugins/session/contract.js";
import { RecordedLog } from "#lib/testing";
import { bootProbe } from "../../support/sites/probe-site.js";
import type { TestSite } from "../../support/sites/boot-site.js";
import { useFolder } from "../../support/folder.js";

declare module "express-session" {
  interface SessionData {
    visits?: number;
  }
}

describe("req.session", () => {
  const folder = useFolder();
  let site: TestSite;
  beforeEach(() => writeFile(join(folder.path, "site.yaml"), "title: Shop\n"));
  afterEach(() => site.close());

  async function mount(
    setup: (site: SiteContext) => void,
    plugins: string[] = ["health", "session"],
  ): Promise<void> {
    site = await bootProbe(setup, { root: folder.path, plugins });
  }
  const counter = ({ http }: SiteContext): void => {
    http.router("/count", (req, res) => {
      req.session.visits = (req.session.visits ?? 0) + 1;
      res.json({ visits: req.session.visits });
    });
    http.router("/leave", (req, res) => void req.session.destroy(() => res.end()));
    http.router("/renew", (req, res) => void req.session.regenerate(() => res.end(req.sessionID)));
    http.router("/plain", (_req, res) => res.end("plain"));
    http.router("/look", (req, res) => res.json({ visits: req.session.visits ?? null }));
  };
  async function get(path: string, cookie = ""): Promise<{ body: string; cookie: string }> {
    const response = await site.fetch(path, { headers: cookie === "" ? {} : { cookie } });
    assert.equal(response.status, 200, path);
    const [set = ""] = response.headers.getSetCookie();
    return { body: await response.text(), cookie: set };
  }
  const pair = (cookie: string): string => cookie.split(";")[0] ?? "";

  it("is stored when a handler changes it, and read by the next request", async () => {
    await mount(counter);
    const first = await get("/count");
    assert.match(
      first.cookie,
      /^site_session=s%3A[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    assert.equal((await get("/count", pair(first.cookie))).body, '{"visits":2}');
    assert.equal((await get("/look", pair(first.cookie))).body, '{"visits":2}');
    assert.equal((await get("/count")).body, '{"visits":1}', "another browser");
  });

  const ownRouter = (): express.Router => {
    const own = express.Router();
    own.use(session({ name: "own.sid", secret: "s", resave: false, saveUninitialized: false }));
    own.get("/count", (req, res) => {
      req.session.visits = (req.session.visits ?? 0) + 1;
      res.json({ visits: req.session.visits });
    });
    return own;
  };

  it("leaves a path to an express-session of a plugin, with its own cookie", async () => {
    await mount((context) => {
      counter(context);
      context.use("session").ownSessionBelow("/own");
      context.http.router("/own", ownRouter());
    });
    const own = await get("/own/count");
    assert.match(own.cookie, /^own\.sid=/);
    const siteCookie = pair((await get("/count")).cookie);
    const both = `${pair(own.cookie)}; ${siteCookie}`;
    assert.equal((await get("/own/count", both)).body, '{"visits":2}');
    assert.equal((await get("/own/count", both)).body, '{"visits":3}');
    assert.equal((await get("/count", both)).body, '{"visits":2}');
  });

  for (const mode of ["dev", "production"]) {
    it(`warns in ${mode}, once, about an express-session that steps aside`, async () => {
      const log = new RecordedLog();
      const setup = ({ http }: SiteContext): void => {
        http.router("/own", ownRouter());
        http.router("/other", ownRouter());
      };
      site = await bootProbe(setup, {
        root: folder.path,
        plugins: ["health", "session"],
        env: { SITE_ENV: mode },
        log: log.logger,
      });
      assert.match((await get("/own/count")).cookie, /^site_session=/);
      await get("/own/count");
      await get("/other/count");
      const warnings = log.lines.filter(({ event }) => event.startsWith("session."));
      assert.deepEqual(
        warnings.map(({ level, event, fields }) => [level, event, fields["path"]]),
        [
          ["warn", "session.own_middleware_ignored", "/own"],
          ["warn", "session.own_middleware_ignored", "/other"],
        ],
      );
      assert.match(String(warnings[0]?.fields["fix"]), /ownSessionBelow\("\/own"\) in setup/);
    });
  }

  it("rejects an invalid path for an own session", async () => {
    const starting = mount((context) => context.use("session").ownSessionBelow("shop"));
    await assert.rejects(starting, { code: "ERR_SESSION_PATH", message: /received "shop"/ });
    await mount(counter);
  });

  it("sends no cookie until a handler changes it", async () => {
    await mount(counter);
    assert.equal((await get("/plain")).cookie, "");
    assert.equal((await get("/look")).cookie, "");
  });

  it("survives a restart, and ends with destroy and regenerate", async () => {
    await mount(counter);
    const { cookie } = await get("/count");
    await site.close();
    await mount(counter);
    assert.equal((await get("/count", pair(cookie))).body, '{"visits":2}');
    const renewed = await get("/renew", pair(cookie));
    assert.equal((await get("/look", pair(cookie))).body, '{"visits":null}');
    assert.notEqual(pair(renewed.cookie), pair(cookie));
    const again = await get("/count");
    await get("/leave", pair(again.cookie));
    assert.equal((await get("/look", pair(again.cookie))).body, '{"visits":null}');
  });

  it("rejects a cookie with another signature", async () => {
    await mount(counter);
    const { cookie } = await get("/count");
    const forged = pair(cookie).replace(/.{4}$/, "AAAA");
    assert.equal((await get("/look", forged)).body, '{"visits":null}');
  });

  it("keeps personal responses out of the response cache", async () => {
    await mountApi();
    const first = await site.fetch("/api/nav", { headers: { "x-remember": "1" } });
    assert.equal(first.headers.get("cache-control"), "private, no-store");
    await first.text();
    const [set = ""] = first.headers.getSetCookie();
    const other = await site.fetch("/api/nav");
    assert.notEqual(other.headers.get("cache-control"), "private, no-store");
    assert.deepEqual(other.headers.getSetCookie(), []);
    const again = await site.fetch("/api/nav", { headers: { cookie: pair(set) } });
    assert.equal(again.headers.get("cache-control"), "private, no-store");
  });
  async function mountApi(): Promise<void> {
    await mount(
      ({ http }) => {
        http.use("identity", (req, _res, next) => {
          if (req.headers["x-remember"] !== undefined) req.session.visits = 7;
          next();
        });
      },
      ["content", "markdown", "pages", "cache", "session", "health"],
    );
  }

  it("carries passport through a site without a session middleware of its own", async () => {
    const auth = new passport.Passport();
    auth.use("key", {
      authenticate(this: passport.StrategyCreated<passport.Strategy>, req: Request) {
        if (req.query["key"] === "right") this.success({ name: "ann" });
        else this.fail(401);
      },
    });
    auth.serializeUser((user, done) => done(null, user));
    auth.deserializeUser<Express.User>((user, done) => done(null, user));
    await mount(({ http }) => {
      http.use("identity", auth.session());
      const router = express.Router();
      router.get("/login", auth.authenticate("key"), (req, res) => void res.json(req.user));
      router.get("/me", (req, res) => void res.json(req.user ?? null));
      http.router("/members", router);
    });
    const { cookie } = await get("/members/login?key=right");
    assert.equal((await get("/members/me", pair(cookie))).body, '{"name":"ann"}');
    assert.equal((await get("/members/me")).body, "null");
  });

  it("serves other pages while the store is down; a handler that needs it answers 503", async () => {
    const down: SessionStore = {
      get: () => Promise.reject(new Error("down")),
      set: () => Promise.reject(new Error("down")),
      destroy: () => Promise.reject(new Error("down")),
      destroyUser: () => Promise.reject(new Error("down")),
    };
    await mount((context) => {
      counter(context);
      context.hooks.on("onSessionStoreCreate", ({ data }) => {
        data.register("down", down);
        data.activate("down");
      });
    });
    const { secret } = await secretCookie();
    const plain = await site.fetch("/plain", { headers: { cookie: secret } });
    assert.equal(plain.status, 200);
    assert.equal(plain.headers.get("x-site-degraded"), "session");
    const look = await site.fetch("/look", { headers: { cookie: secret } });
    assert.equal(look.status, 503);
    assert.equal(look.headers.get("retry-after"), "5");
  });
  /** A validly signed cookie: express-session sends it although the store failed to save. */
  async function secretCookie(): Promise<{ secret: string }> {
    const response = await site.fetch("/count");
    const [set = ""] = response.headers.getSetCookie();
    assert.match(set, /^site_session=/);
    return { secret: pair(set) };
  }
});
