import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import request from "supertest";
import { silentLog, SiteError } from "#kernel";
import { StoreGuard } from "#lib/stores";
import type { SessionRecord, SessionStore } from "../../../plugins/session/contract.js";
import { HostContext } from "../../../plugins/auth/mount-auth.js";
import { LocalSessionStore } from "../../../plugins/session/engines/local.js";
import { Secrets } from "../../../plugins/session/secret.js";
import { SessionRecords, storeDown } from "../../../plugins/session/session-records.js";
import { Sessions } from "../../../plugins/session/session-service.js";
import { useFolder } from "../../support/folder.js";

const LIFETIME = 2_592_000;

/** A store with controlled failures that counts its calls. */
class FaultyStore implements SessionStore {
  readonly calls: string[] = [];
  mode: "well" | "throws" | "hangs" | "read-only" = "well";
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  get(id: string): Promise<SessionRecord | null> {
    return this.#call("get", () => this.#store.get(id));
  }
  set(id: string, record: SessionRecord, ttlSeconds: number): Promise<void> {
    return this.#call("set", () => this.#store.set(id, record, ttlSeconds));
  }
  destroy(id: string): Promise<void> {
    return this.#call("destroy", () => this.#store.destroy(id));
  }
  destroyUser(userId: string): Promise<number> {
    return this.#call("destroyUser", () => this.#store.destroyUser(userId));
  }

  #call<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.calls.push(name);
    const isRefused = this.mode === "read-only" && name !== "get";
    if (this.mode === "throws" || isRefused) throw new Error("ECONNREFUSED");
    return this.mode === "hangs" ? new Promise(() => undefined) : work();
  }
}

describe("sessions over HTTP", () => {
  const folder = useFolder();
  let now = 0;
  let elapsed = 0;
  let store: FaultyStore;
  let sessions: Sessions;

  beforeEach(() => {
    now = Date.now();
    elapsed = 0;
    store = new FaultyStore(new LocalSessionStore(join(folder.path, "sessions")));
    sessions = create({ isSecure: false });
  });

  function create({
    limitMs = 10_000,
    ...options
  }: {
    isSecure: boolean;
    limitMs?: number;
  }): Sessions {
    const clock = { now: () => now };
    const guard = (): StoreGuard =>
      new StoreGuard({
        monotonic: () => elapsed,
        onChange: () => undefined,
        limitMs: () => limitMs,
        toError: storeDown,
      });
    const local = new LocalSessionStore(join(folder.path, "sessions"));
    return new Sessions({
      records: new SessionRecords({
        store: () => store,
        guards: { read: guard(), write: guard() },
        clock,
        claim: (key, ttl) => local.claim(key, ttl),
      }),
      secrets: new Secrets({ configured: undefined, runtime: folder.path }),
      clock,
      log: silentLog,
      ...options,
    });
  }

  /** A site with a public page that names the visitor, and an open login. */
  function app(): Express {
    const made = express();
    made.use((req, _res, next) => {
      req.ctx = new HostContext(req, silentLog);
      next();
    });
    made.use(sessions.middleware("visitor"), sessions.middleware("admin"));
    made.post("/login/:user", async (req: Request<{ user: string }>, res) => {
      const kind = req.query["kind"] === "admin" ? "admin" : "visitor";
      const session = await sessions.login(req, res, {
        kind,
        userId: req.params.user,
        lifetimeSeconds: LIFETIME,
      });
      res.json({ id: session.id });
    });
    made.post("/note", async (req, res) => {
      res.json(await sessions.update(req, "visitor", { note: req.query["note"] }));
    });
    made.post("/renew", async (req, res) => {
      const left = { note: "left" };
      const data = { note: "renewed" };
      if (req.query["revoked"] !== undefined)
        await sessions.revokeUser(String(req.query["revoked"]));
      res.json(await sessions.renew(req, res, { kind: "visitor", data, left }));
    });
    made.post("/logout", async (req, res) => {
      await sessions.logout(req, res, "visitor");
      res.end();
    });
    made.get("/", (req, res) => {
      const { userId = null, data = {} } = sessions.current(req, "visitor") ?? {};
      const admin = sessions.current(req, "admin")?.userId ?? null;
      res.json({ user: userId, admin, data, down: sessions.isUnavailable(req) });
    });
    made.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
      const status = error instanceof SiteError ? (error.status ?? 500) : 500;
      res.status(status).json({ error: String(error) });
    });
    return made;
  }

  async function login(
    user: string,
    options: { cookie?: string; kind?: string } = {},
  ): Promise<string> {
    const sent = request(app())
      .post(`/login/${user}`)
      .query({ kind: options.kind ?? "visitor" });
    const res = await (options.cookie ? sent.set("Cookie", options.cookie) : sent).expect(200);
    return cookieOf(res);
  }

  async function visitor(cookie: string): Promise<unknown> {
    return (await request(app()).get("/").set("Cookie", cookie).expect(200)).body.user;
  }

  function cookieOf(res: request.Response): string {
    const [header = "", ...more] = setCookies(res);
    assert.deepEqual(more, []);
    return header.split(";")[0] ?? "";
  }

  function setCookies(res: request.Response): string[] {
    return [res.headers["set-cookie"] ?? []].flat();
  }

  it("keeps a visitor logged in with only the cookie", async () => {
    const cookie = await login("ann");
    assert.equal(await visitor(cookie), "ann");
    assert.equal(await visitor(`a=b; ${cookie}; c=d`), "ann");
  });

  it("sets the visitor's cookie exactly as specified", async () => {
    const dev = await request(app()).post("/login/ann").expect(200);
    const attributes = "; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax";
    assert.match(setCookies(dev)[0] ?? "", /^site_auth=[A-Za-z0-9_-]{86};/);
    assert.ok(setCookies(dev)[0]?.endsWith(attributes));
    sessions = create({ isSecure: true });
    const production = await request(app()).post("/login/ann").expect(200);
    assert.ok(setCookies(production)[0]?.endsWith(`${attributes}; Secure`));
  });

  it("sets the admin's cookie separately, with SameSite=Strict", async () => {
    const res = await request(app()).post("/login/root").query({ kind: "admin" }).expect(200);
    assert.match(
      setCookies(res)[0] ?? "",
      /^site_admin=[\w-]{86}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
  });

  it("separates a visitor and an admin on one request", async () => {
    const both = `${await login("ann")}; ${await login("root", { kind: "admin" })}`;
    const { body } = await request(app()).get("/").set("Cookie", both);
    assert.deepEqual([body.user, body.admin], ["ann", "root"]);
  });

  it("rejects a visitor's cookie as an admin's", async () => {
    const cookie = (await login("ann")).replace("site_auth", "site_admin");
    const { body } = await request(app()).get("/").set("Cookie", cookie);
    assert.equal(body.admin, null);
  });

  it("creates and reads nothing for a request without a session", async () => {
    for (let i = 0; i < 50; i += 1) {
      const res = await request(app()).get("/").expect(200);
      assert.deepEqual(setCookies(res), []);
    }
    assert.deepEqual(store.calls, []);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("does not look up malformed or forged cookies", async () => {
    const good = await login("ann");
    store.calls.length = 0;
    const value = good.slice("site_auth=".length);
    const flipped = value.slice(0, 50) + (value[50] === "A" ? "B" : "A") + value.slice(51);
    const forged = [
      "",
      "../../data/users/x",
      "..%2f",
      "x".repeat(5_000),
      "a\tb",
      "ATTACKER",
      flipped,
      value + "A",
    ];
    for (const cookie of forged) assert.equal(await visitor(`site_auth=${cookie}`), null);
    assert.deepEqual(store.calls, []);
  });

  it("creates a new id at each login and ends the old session", async () => {
    const attacker = `site_auth=${"A".repeat(86)}`;
    const first = await login("ann", { cookie: attacker });
    assert.notEqual(first, attacker);
    const second = await login("ann", { cookie: first });
    assert.notEqual(second, first);
    assert.equal(await visitor(attacker), null);
    assert.equal(await visitor(first), null);
    assert.equal(await visitor(second), "ann");
  });

  it("renews a session under a new id, with the same expiry", async () => {
    const old = await login("ann");
    now += 60_500;
    const res = await request(app()).post("/renew").set("Cookie", old).expect(200);
    assert.match(setCookies(res)[0] ?? "", new RegExp(`; Max-Age=${LIFETIME - 60}; `));
    const fresh = cookieOf(res);
    assert.notEqual(fresh, old);
    const { body } = await request(app()).get("/").set("Cookie", fresh);
    assert.deepEqual([body.user, body.data], ["ann", { note: "renewed" }]);
    now += (LIFETIME - 61) * 1000;
    assert.equal(await visitor(fresh), "ann");
    now += 1_000;
    assert.equal(await visitor(fresh), null);
  });

  it("accepts the old id for ten seconds, for concurrent requests", async () => {
    const old = await login("ann");
    await request(app()).post("/renew").set("Cookie", old).expect(200);
    now += 9_999;
    const { body } = await request(app()).get("/").set("Cookie", old);
    assert.deepEqual([body.user, body.data], ["ann", { note: "left" }]);
    now += 1;
    assert.equal(await visitor(old), null);
  });

  it("ends the renewed session with all others of the user", async () => {
    const old = await login("ann");
    const res = await request(app()).post("/renew").set("Cookie", old).expect(200);
    assert.equal(await sessions.revokeUser("ann"), 2);
    assert.deepEqual([await visitor(old), await visitor(cookieOf(res))], [null, null]);
  });

  it("does not renew a session revoked in the meantime", async () => {
    const old = await login("ann");
    const res = await request(app()).post("/renew?revoked=ann").set("Cookie", old).expect(500);
    assert.deepEqual(setCookies(res), []);
    assert.equal(await sessions.revokeUser("ann"), 0);
    assert.equal(await visitor(old), null);
  });

  it("does not renew a missing session", async () => {
    const res = await request(app()).post("/renew").expect(500);
    assert.deepEqual(setCookies(res), []);
  });

  it("never adopts an id unknown to the store", async () => {
    const old = await login("ann");
    await sessions.revokeUser("ann");
    assert.notEqual(await login("ann", { cookie: old }), old);
  });

  it("stores nothing that can be used to log in", async () => {
    const cookie = await login("ann");
    const files = await readdir(join(folder.path, "sessions"), { recursive: true });
    const contents = await Promise.all(
      files
        .filter((name) => name.endsWith(".json"))
        .map((name) => readFile(join(folder.path, "sessions", name), "utf8")),
    );
    assert.ok(contents.length > 0);
    const id = cookie.slice("site_auth=".length, "site_auth=".length + 43);
    assert.ok(![...files, ...contents].some((text) => text.includes(id)));
  });

  it("rejects a logged-out cookie, and clears it with the same attributes", async () => {
    const cookie = await login("ann");
    const res = await request(app()).post("/logout").set("Cookie", cookie).expect(200);
    assert.equal(setCookies(res)[0], "site_auth=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    assert.equal(await visitor(cookie), null);
  });

  it("ends a session at its expiry, even if the store still has it", async () => {
    const cookie = await login("ann");
    now += LIFETIME * 1000 - 1;
    assert.equal(await visitor(cookie), "ann");
    now += 1;
    assert.equal(await visitor(cookie), null);
  });

  it("changes the data, but not id and expiry", async () => {
    const cookie = await login("ann");
    now += 1_000;
    const changed = await request(app()).post("/note?note=x").set("Cookie", cookie).expect(200);
    assert.equal(changed.body.expiresAt - changed.body.createdAt, LIFETIME * 1000);
    const { body } = await request(app()).get("/").set("Cookie", cookie);
    assert.deepEqual(body.data, { note: "x" });
  });

  it("writes to the store once per login, and not per page", async () => {
    const cookie = await login("ann");
    assert.deepEqual(store.calls, ["set"]);
    await visitor(cookie);
    assert.deepEqual(store.calls, ["set", "get"]);
  });

  it("ends every session of a user", async () => {
    const cookies = [await login("ann"), await login("ann"), await login("bob")];
    assert.equal(await sessions.revokeUser("ann"), 2);
    assert.deepEqual(await Promise.all(cookies.map(visitor)), [null, null, "bob"]);
  });

  for (const mode of ["throws", "hangs"] as const) {
    it(`while the store ${mode}, pages are anonymous and logins respond 503`, async () => {
      const cookie = await login("ann");
      if (mode === "hangs") sessions = create({ isSecure: false, limitMs: 30 });
      store.mode = mode;
      const { body } = await request(app()).get("/").set("Cookie", cookie).expect(200);
      assert.deepEqual([body.user, body.down], [null, true]);
      const res = await request(app()).post("/login/bob").expect(503);
      assert.deepEqual(setCookies(res), []);
      await request(app()).post("/logout").set("Cookie", cookie).expect(503);
    });
  }

  it("still reads sessions from a store that cannot write, as on a full disk", async () => {
    const cookie = await login("ann");
    store.mode = "read-only";
    for (let i = 0; i < 5; i += 1) await request(app()).post("/login/bob").expect(503);
    assert.equal(await visitor(cookie), "ann");
  });

  it("marks only responses to a visitor that it cannot look up", async () => {
    const cookie = await login("ann");
    store.mode = "throws";
    const marked: unknown[] = [];
    const marks = express();
    marks.use((req, _res, next) => {
      req.ctx = new HostContext(req, silentLog);
      next();
    });
    marks.use(sessions.middleware("visitor"), (req, res) => {
      marked.push(req.ctx.responseHeaders?.["X-Site-Degraded"], req.ctx.state.viewer?.roles);
      res.end();
    });
    await request(marks).get("/").set("Cookie", cookie).expect(200);
    await request(marks).get("/").expect(200);
    assert.deepEqual(marked, ["session", null, undefined, undefined]);
  });

  it("retries a dead store once a second, and recovers", async () => {
    const cookie = await login("ann");
    store.mode = "throws";
    for (let i = 0; i < 20; i += 1) assert.equal(await visitor(cookie), null);
    assert.equal(store.calls.filter((call) => call === "get").length, 3);
    store.mode = "well";
    assert.equal(await visitor(cookie), null);
    elapsed += 1_000;
    assert.equal(await visitor(cookie), "ann");
  });

  it("coexists with a host's own express-session", async () => {
    const { default: hostSession } = await import("express-session");
    const host = express();
    host.use(hostSession({ secret: "host", resave: false, saveUninitialized: true }));
    host.use(app());
    const res = await request(host).post("/login/ann").expect(200);
    const [names] = [
      setCookies(res)
        .map((header) => header.split("=")[0])
        .sort(),
    ];
    assert.deepEqual(names, ["connect.sid", "site_auth"]);
  });
});
