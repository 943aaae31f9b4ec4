import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres, type PostgresServer } from "../../../scripts/services/postgres.js";
import { startRedis, type RedisServer } from "../../../scripts/services/redis.js";
import {
  askForLink,
  AUTH_PLUGINS,
  bootAuthSite,
  type AuthSite,
} from "../../support/sites/auth-site.js";
import type { BootOptions } from "../../support/sites/boot-site.js";
import { usePostgres, useRedis } from "../../support/services.js";
import { until } from "../../support/until.js";

/** Concurrent requests of one kind while a store is restarted. */
const WORKERS = 6;
/** A response that has not come by then counts as missing: a busy machine is slow, not wrong. */
const PATIENCE_MS = 120_000;

/** Observed statuses per address; `lost` without a response. */
type Seen = Map<string, Set<number | "lost">>;

describe("stores that are stopped and started under load", () => {
  let site: AuthSite | null = null;
  let server: RedisServer | PostgresServer | null = null;
  afterEach(async () => {
    await site?.close();
    await server?.stop();
    site = null;
    server = null;
  });

  async function boot(auth: Record<string, unknown>, options: BootOptions): Promise<AuthSite> {
    site = await bootAuthSite(
      { providers: { magicLink: { enabled: true } }, ...auth },
      {
        plugins: AUTH_PLUGINS,
        files: {
          "site.yaml": "title: Test\n",
          "content/01.home/default.md": "# Home\n",
          "content/members/default.md": "---\nroles: any\n---\n# For members\n",
        },
        ...options,
      },
    );
    return site;
  }

  /** Requests public and personal pages until it is stopped. */
  function load(running: AuthSite, cookie: string): { seen: Seen; end(): Promise<void> } {
    const seen: Seen = new Map();
    const over = new AbortController();
    const ask = async (path: string): Promise<void> => {
      while (!over.signal.aborted) {
        const status = await running
          .fetch(path, { headers: { cookie }, signal: AbortSignal.timeout(PATIENCE_MS) })
          .then(async (res) => {
            await res.arrayBuffer();
            return res.status;
          })
          .catch((): "lost" => "lost");
        seen.set(path, (seen.get(path) ?? new Set()).add(status));
        await delay(2);
      }
    };
    const workers = ["/", "/api/pages?limit=1", "/auth/me", "/members"].flatMap((path) =>
      Array.from({ length: WORKERS }, () => ask(path)),
    );
    return {
      seen,
      end: async () => {
        over.abort();
        await Promise.all(workers);
      },
    };
  }

  const only = (seen: Seen, path: string, allowed: readonly number[]): void => {
    const others = [...(seen.get(path) ?? [])].filter(
      (one) => one === "lost" || !allowed.includes(one),
    );
    assert.deepEqual(others, [], `${path}: ${[...(seen.get(path) ?? [])].join()}`);
  };

  /** The length of a new session's cookie, once logins work: the guard of a store checks once a second. */
  async function untilLogin(running: AuthSite): Promise<number> {
    let tries = 0;
    let length = 0;
    await until(async () => {
      const visitor = await running.loggedIn(`eve-${(tries += 1)}@example.org`);
      ({ length } = visitor.cookie("site_auth") ?? "");
      return length > 0;
    });
    return length;
  }

  const untilMe = (running: AuthSite, cookie: string): Promise<void> =>
    until(async () => (await running.fetch("/auth/me", { headers: { cookie } })).status === 200);

  it("continue with Redis killed and started, three times: pages stay, visitors stay logged in", async function () {
    await useRedis(this);
    const redis = await startRedis({ isKept: true });
    server = redis;
    const store = { type: "redis", url: redis.url(0) };
    const running = await boot(
      {},
      { settings: { system: { session_store: store, server: { rate_limit: false } } } },
    );
    const visitor = await running.loggedIn("ann@example.org");
    const cookie = `site_auth=${visitor.cookie("site_auth")}`;
    const { seen, end } = load(running, cookie);
    for (const signal of ["SIGTERM", "SIGKILL", "SIGKILL"] as const) {
      await delay(300);
      await redis.end(signal);
      const link = await running.linkFor({ email: "bob@example.org" });
      assert.equal((await running.browser().go(link)).status, 503, "a login while it is away");
      await redis.startAgain();
      await untilMe(running, cookie);
    }
    await end();
    only(seen, "/", [200]);
    only(seen, "/api/pages?limit=1", [200]);
    only(seen, "/auth/me", [200, 503]);
    only(seen, "/members", [200, 503]);
    assert.ok(seen.get("/auth/me")?.has(503), "the outage was felt where it must be");
    assert.equal(await untilLogin(running), 86);
  });

  it("continue with PostgreSQL stopped and started, three times: pages and written data stay", async function () {
    await usePostgres(this);
    const postgres = await startPostgres();
    server = postgres;
    const url = await postgres.createDatabase("restarted");
    const running = await boot(
      { userStore: "db", authzStore: "db" },
      { env: { SITE_DB_URL: url }, settings: { system: { server: { rate_limit: false } } } },
    );
    const visitor = await running.loggedIn("ann@example.org");
    const cookie = `site_auth=${visitor.cookie("site_auth")}`;
    const users = running.site.use("users");
    const written: string[] = [];
    const refused: unknown[] = [];
    const { seen, end } = load(running, cookie);
    const over = new AbortController();
    const writing = (async () => {
      for (let at = 0; !over.signal.aborted; at += 1) {
        const email = `visitor-${at}@example.org`;
        const user = { email, provider: "magic", roles: ["member"] };
        await users.create(user).then(
          () => written.push(email),
          (error: unknown) => refused.push(error),
        );
        await delay(3);
      }
    })();
    const moreWritten = async (): Promise<void> => {
      const before = written.length;
      await until(() => written.length >= before + 3);
    };
    for (const signal of ["SIGINT", "SIGQUIT", "SIGQUIT"] as const) {
      await moreWritten();
      await postgres.end(signal);
      assert.equal((await askForLink(running, { email: "bob@example.org" })).status, 200);
      await delay(300);
      await postgres.startAgain();
      await untilMe(running, cookie);
    }
    await moreWritten();
    over.abort();
    await writing;
    await end();
    only(seen, "/", [200]);
    only(seen, "/api/pages?limit=1", [200]);
    only(seen, "/auth/me", [200, 503]);
    only(seen, "/members", [200, 503]);
    assert.ok(refused.length > 0, "the outage was felt where it must be");
    for (const error of refused) {
      assert.ok(error instanceof Error && "status" in error && error.status === 503, String(error));
    }
    const found = await Promise.all(written.map((email) => users.findByEmail(email)));
    assert.deepEqual(
      written.filter((_, at) => found[at]?.roles[0] !== "member"),
      [],
    );
  });
});
