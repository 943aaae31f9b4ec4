/** `/auth/me` with a session in each store, compared with bare express-session; a page with and without a visitor. */
import { randomBytes } from "node:crypto";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import express from "express";
import session from "express-session";
import jwt from "jsonwebtoken";
import { createEnv, createSite, silentLog, type Site } from "#kernel";
import { firstParty } from "../../plugins/main.js";
import type { SessionRecord, SessionStore } from "../../plugins/session/contract.js";
import { startPostgres } from "../../scripts/services/postgres.js";
import { startRedis } from "../../scripts/services/redis.js";
import { prepareSqlite } from "../../scripts/services/sqlite.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 2);
const CONNECTIONS = 4;
const SINGLE = 400;

interface Setup {
  name: string;
  sessions: { type: string; url?: string };
  userStore: "local" | "db";
  env: Record<string, string>;
}
interface Running {
  site: Site;
  url: string;
  cookie: string;
  close(): Promise<void>;
}

async function startSite({ sessions, userStore, env }: Setup): Promise<Running> {
  const root = await mkdtemp(join(tmpdir(), "site-bench-auth-"));
  await mkdir(join(root, "content", "01.home"), { recursive: true });
  await writeFile(join(root, "content", "01.home", "default.md"), "# Home\n\nA page.\n");
  await writeFile(join(root, "site.yaml"), "title: Bench\n");
  const links: string[] = [];
  const site = await createSite(root, {
    firstParty,
    log: silentLog,
    env: createEnv({ SITE_ENV: "dev", ...env }),
    selection: ["auth", "email", "pages", "render", "cache"],
    overrides: {
      site: { auth: { userStore, providers: { magicLink: { enabled: true } } } },
      system: { session_store: sessions },
    },
    extraPlugins: [
      {
        name: "mailbox",
        version: "1.0.0",
        hooks: {
          onMailerCreate: ({ data }) => {
            data.register("mailbox", { send: async ({ text }) => void links.push(text) });
            data.activate("mailbox");
          },
        },
      },
    ],
  });
  const url = `http://127.0.0.1:${await site.listen(0)}`;
  await site.ready;
  const cookie = await logIn(url, links);
  const close = async (): Promise<void> => {
    await site.close();
    await rm(root, { recursive: true, force: true });
  };
  return { site, url, cookie, close };
}

async function logIn(url: string, links: readonly string[]): Promise<string> {
  const body = new URLSearchParams({ email: "ann@example.org" });
  await fetch(`${url}/auth/magic/send`, { method: "POST", body });
  while (links.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const link = new URL(/http:\S+/.exec(links[0] ?? "")?.[0] ?? "");
  const res = await fetch(url + link.pathname + link.search, { redirect: "manual" });
  return res.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

/** An express-session store that wraps one of ours. */
class BareStore extends session.Store {
  readonly #store: SessionStore;
  constructor(store: SessionStore) {
    super();
    this.#store = store;
  }
  get(id: string, done: (error: unknown, data?: session.SessionData | null) => void): void {
    this.#store.get(nameOf(id)).then(
      (record) => done(null, record && { cookie: { originalMaxAge: null }, record }),
      (error: unknown) => done(error),
    );
  }
  set(id: string, data: session.SessionData, done?: (error?: unknown) => void): void {
    this.#store.set(nameOf(id), data.record, 3_600).then(
      () => done?.(),
      (error: unknown) => done?.(error),
    );
  }
  destroy(id: string, done?: (error?: unknown) => void): void {
    this.#store.destroy(nameOf(id)).then(
      () => done?.(),
      (error: unknown) => done?.(error),
    );
  }
  override touch(_id: string, _data: session.SessionData, done?: () => void): void {
    done?.();
  }
}

function nameOf(id: string): string {
  return `visitor-${Buffer.from(id).toString("hex").padEnd(64, "0").slice(0, 64)}`;
}

async function startBare(
  store: SessionStore,
): Promise<{ url: string; cookie: string; server: Server }> {
  const app = express();
  app.disable("x-powered-by");
  app.use(
    session({
      secret: "a secret",
      store: new BareStore(store),
      resave: false,
      saveUninitialized: false,
    }),
  );
  app.get("/in", (req, res) => {
    const createdAt = Date.now();
    const data = { email: "ann@example.org" };
    const expiresAt = createdAt + 3_600_000;
    req.session.record = { userId: "ann", kind: "visitor", data, createdAt, expiresAt };
    res.json({ ok: true });
  });
  app.get("/auth/me", (req, res) => {
    const record: SessionRecord | undefined = req.session.record;
    if (record === undefined) res.status(401).json({ error: "not logged in" });
    else res.json({ id: "ann", email: record.data["email"], name: null, roles: [] });
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const res = await fetch(`${url}/in`);
  return { url, cookie: res.headers.getSetCookie()[0]?.split(";")[0] ?? "", server };
}

async function perSecond(url: string, cookie: string): Promise<number> {
  const options = { url, connections: CONNECTIONS, duration: SECONDS, headers: { cookie } };
  const result = await autocannon(options);
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} responses were not 2xx`);
  return result.requests.average;
}

/** Cost of one request at a time, in ms: median wall time, and CPU time of server and client. */
interface Cost {
  ms: number;
  cpuMs: number;
}

async function single(url: string, headers: () => Record<string, string>): Promise<Cost> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let at = 0; at < SINGLE; at += 1) {
    const from = performance.now();
    // A unique query, so that anonymous responses are not cached either.
    await (await fetch(`${url}?n=${at}-${from}`, { headers: headers() })).text();
    times.push(performance.now() - from);
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: median(times), cpuMs: (user + system) / 1000 / SINGLE };
}

/** Invalid tokens, each a new one: well-formed and malformed. */
function garbage(): string {
  const random = (bytes: number): string => randomBytes(bytes).toString("base64url");
  const header = Buffer.from('{"alg":"HS256"}').toString("base64url");
  const payload = Buffer.from(`{"sub":"${random(9)}"}`).toString("base64url");
  return `${header}.${payload}.${random(32)}`;
}

/** The cost of tokens for a public response. */
async function measureTokens(): Promise<string[][]> {
  const secret = randomBytes(32).toString("hex");
  const { close, url } = await startTokenSite(secret);
  const good = jwt.sign({ sub: "ann", roles: ["member"] }, secret);
  const kinds: readonly (readonly [string, () => Record<string, string>])[] = [
    ["none", () => ({})],
    ["valid, the same each time", () => ({ authorization: `Bearer ${good}` })],
    [
      "well-formed with an invalid signature, new each time",
      () => ({ authorization: `Bearer ${garbage()}` }),
    ],
    [
      "8 KB of random text",
      () => ({ authorization: `Bearer ${randomBytes(6_000).toString("base64url")}` }),
    ],
  ];
  const costs = kinds.map((): Cost[] => []);
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [at, [, headers]] of kinds.entries()) {
        const cost = await single(`${url}/api/nav`, headers);
        // The first round warms up.
        if (round > 0) costs[at]?.push(cost);
      }
    }
  } finally {
    await close();
  }
  const cpu = costs.map((list) => median(list.map(({ cpuMs }) => cpuMs)));
  return kinds.map(([name], at) => [
    name,
    short(cpu[at] ?? 0),
    short((cpu[at] ?? 0) / (cpu[0] ?? 1)),
  ]);
}

async function startTokenSite(secret: string): Promise<Pick<Running, "url" | "close">> {
  const root = await mkdtemp(join(tmpdir(), "site-bench-tokens-"));
  await mkdir(join(root, "content", "01.home"), { recursive: true });
  await writeFile(join(root, "content", "01.home", "default.md"), "# Home\n\nA page.\n");
  await writeFile(join(root, "site.yaml"), "title: Bench\n");
  const site = await createSite(root, {
    firstParty,
    log: silentLog,
    env: createEnv({ SITE_ENV: "dev" }),
    selection: ["auth", "pages", "cache"],
    overrides: {
      site: { auth: { mode: "external-jwt", authzStore: "local", jwt: { secret } } },
      system: { server: { rate_limit: false } },
    },
  });
  const url = `http://127.0.0.1:${await site.listen(0)}`;
  await site.ready;
  const close = async (): Promise<void> => {
    await site.close();
    await rm(root, { recursive: true, force: true });
  };
  return { url, close };
}

async function measure(setup: Setup): Promise<{ row: string[]; page: string[] }> {
  const site = await startSite(setup);
  const bare = await startBare(site.site.context("session").engines.slot("sessionStore").active);
  try {
    const ours: number[] = [];
    const theirs: number[] = [];
    const visitor: Cost[] = [];
    const anonymous: Cost[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const perSecondOurs = await perSecond(`${site.url}/auth/me`, site.cookie);
      const perSecondTheirs = await perSecond(`${bare.url}/auth/me`, bare.cookie);
      const costVisitor = await single(`${site.url}/`, () => ({ cookie: site.cookie }));
      const costAnonymous = await single(`${site.url}/`, () => ({}));
      // The first round warms up.
      if (round === 0) continue;
      ours.push(perSecondOurs);
      theirs.push(perSecondTheirs);
      visitor.push(costVisitor);
      anonymous.push(costAnonymous);
    }
    const [a, b] = [median(ours), median(theirs)];
    const row = [setup.name, short(a), short(b), short(a / b)];
    return { row, page: [setup.name, ...differences(anonymous, visitor)] };
  } finally {
    bare.server.closeAllConnections();
    bare.server.close();
    await site.close();
  }
}

/** Wall time and CPU time: without, with, and the difference. */
function differences(without: readonly Cost[], withOne: readonly Cost[]): string[] {
  return (["ms", "cpuMs"] as const).flatMap((of) => {
    const [a, b] = [without, withOne].map((costs) => median(costs.map((cost) => cost[of])));
    return [short(a ?? 0), short(b ?? 0), short((b ?? 0) - (a ?? 0))];
  });
}

/** Measures the four set-ups and writes the section. */
async function main(): Promise<void> {
  await prepareSqlite();
  const redis = await startRedis();
  const postgres = await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), "site-bench-db-"));
  try {
    const local = { sessions: { type: "local" }, userStore: "local", env: {} } as const;
    const setups: Setup[] = [
      { name: "files", ...local },
      {
        name: "SQLite (sessions and accounts)",
        sessions: { type: "kv" },
        userStore: "db",
        env: { SITE_DB_PATH: join(folder, "site.db") },
      },
      {
        name: "PostgreSQL (accounts), files (sessions)",
        sessions: { type: "local" },
        userStore: "db",
        env: { SITE_DB_URL: await postgres.createDatabase("bench_auth") },
      },
      {
        ...local,
        name: "Redis (sessions), files (accounts)",
        sessions: { type: "redis", url: redis.url(0) },
      },
    ];
    const rows: string[][] = [];
    const pages: string[][] = [];
    for (const setup of setups) {
      const { row, page } = await measure(setup);
      rows.push(row);
      pages.push(page);
      process.stdout.write(`${row.join(" | ")}\n${page.join(" | ")}\n`);
    }
    const text = [
      `## Visitors\n\n${machine()}; medians of ${ROUNDS} interleaved rounds of ${SECONDS} s.`,
      `\`/auth/me\` with a session, requests per second over ${CONNECTIONS} connections; server and client share one process. "Bare" is only Express with express-session on the same session store: it looks up neither accounts nor roles, which the site reads for each request.`,
      table(["store", "site", "bare express-session", "ratio"], rows),
      "An uncached page, one request at a time: median wall time in ms, then CPU time of server and client together in ms. On a busy machine, the CPU time is the reliable figure.",
      table(
        [
          "store",
          "anonymous",
          "logged in",
          "difference",
          "CPU anonymous",
          "CPU logged in",
          "CPU difference",
        ],
        pages,
      ),
      "`/api/nav` in mode `external-jwt`, by token: CPU time of server and client in ms.",
      table(["token", "CPU ms", "ratio"], await measureTokens()),
    ].join("\n\n");
    await writeSection("auth", text);
  } finally {
    await Promise.allSettled([
      redis.stop(),
      postgres.stop(),
      rm(folder, { recursive: true, force: true }),
    ]);
  }
}

await runAsScript(import.meta.url, main);
