// Two servers of one site on real stores, on a small disk of their own.
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { freePort } from "../../scripts/services/server-process.js";
import { bootSite } from "../support/sites/boot-site.js";
import { gradient } from "../support/content/pictures.js";
import { startProcess, type SiteProcess } from "../support/processes/site-process.js";
import { startReceiver, type Receiver } from "../support/servers/webhook-receiver.js";
import { Disk } from "./disk.js";
import { BUCKET, hostOf, startStores, STORES, type StoreLinks, type StoreName } from "./stores.js";

const DISK_MB = 192;
const PAGES = 40;
const preload = fileURLToPath(new URL("preload.mjs", import.meta.url));
const TOKEN = "0123456789abcdef";
/** The longest wait for a response of health, and for the command `doctor`. */
const HEALTH_MS = 3_000;
const DOCTOR_MS = 120_000;
const SECRET = "a secret of at least thirty-two characters";

/** The account that signs in and writes. */
export const account = { username: "editor", password: "correct horse battery" };
/** Addresses that must respond 200 during every fault. */
export const publicPaths = [
  "/",
  "/api/pages?limit=10",
  "/api/search?q=harbour",
  ...Array.from({ length: PAGES }, (_, at) => `/guide/page-${at}`),
];
/** An image whose variants are stored in S3. */
export const picturePath = "/content-media/01.home/harbour.png";

/** The configuration has the address of the node's own proxy of S3. */
const OWN_ADDRESS = /^cluster: other plugins or configuration/;
/** What a node says of itself. */
const healthSchema = z.object({
  problems: z.array(z.object({ part: z.string(), problem: z.string() })),
});
/** What `site doctor --json` prints. */
const diagnosisSchema = z.object({
  findings: z.array(z.object({ check: z.string(), level: z.string(), seen: z.string() })),
});

/** One server. */
export class FaultNode {
  readonly name: string;
  readonly links: StoreLinks;
  readonly #root: string;
  readonly #command: readonly string[];
  readonly #port: number;
  #server: SiteProcess | null = null;

  constructor(name: string, links: StoreLinks, plan: NodePlan) {
    this.name = name;
    this.links = links;
    this.#root = plan.root;
    this.#command = plan.command;
    this.#port = plan.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get isRunning(): boolean {
    const child = this.#server?.child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** The output so far. */
  get output(): string {
    return this.#server?.text() ?? "";
  }

  async start(): Promise<void> {
    const options = `NODE_OPTIONS=--import=${preload}`;
    this.#server = this.#run(["serve", "--port", String(this.#port)], options);
    const { child } = this.#server;
    process.once("exit", () => child.kill("SIGKILL"));
    await this.#server.printed(/ready after/);
  }

  /** Ends it with a signal; resolves when it has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#server?.child;
    if (child === undefined || !this.isRunning) return;
    child.kill(signal);
    await once(child, "exit");
  }

  signal(signal: NodeJS.Signals): void {
    this.#server?.child.kill(signal);
  }

  /** The problems of its health, `part: problem`; null without a response. */
  async problems(): Promise<readonly string[] | null> {
    try {
      const response = await fetch(`${this.url}/health?detailed=true&token=${TOKEN}`, {
        signal: AbortSignal.timeout(HEALTH_MS),
      });
      const { problems } = healthSchema.parse(await response.json());
      const all = problems.map(({ part, problem }) => `${part}: ${problem}`);
      return all.filter((problem) => !OWN_ADDRESS.test(problem));
    } catch (error) {
      if (error instanceof z.ZodError) throw error;
      return null;
    }
  }

  /** What the command `doctor` finds wrong with its root: `check: what it has seen`. */
  async doctor(): Promise<readonly string[]> {
    const run = this.#run(["doctor", "--json"]);
    const timer = setTimeout(() => run.child.kill("SIGKILL"), DOCTOR_MS);
    const code = await run.ended();
    clearTimeout(timer);
    if (code === null) return [`did not end within ${DOCTOR_MS / 1000} s`];
    // The command may add to its report that connections are still open.
    const [report = ""] = /\{[^]*\}/.exec(run.text()) ?? [];
    const { findings } = diagnosisSchema.parse(JSON.parse(report));
    const wrong = findings.filter(({ level }) => level !== "ok");
    return wrong.map(({ check, seen }) => `${check}: ${seen}`);
  }

  #run(words: readonly string[], options = "NODE_OPTIONS="): SiteProcess {
    const env = { ...this.links.env, SITE_AUTH_SECRET: SECRET, SITE_NODE: this.name };
    const command = [...this.#command, "env", options];
    return startProcess([...words, "--root", this.#root], { env, command });
  }
}
interface NodePlan {
  readonly root: string;
  readonly command: readonly string[];
  readonly port: number;
}

/** The whole set-up. */
export interface FaultCluster {
  readonly nodes: readonly [FaultNode, FaultNode, ...FaultNode[]];
  readonly disk: Disk;
  readonly receiver: Receiver;
  readonly stores: Awaited<ReturnType<typeof startStores>>;
  /** The site's database, without a proxy. */
  readonly databaseUrl: string;
  /** The content folder, for this process. */
  readonly content: string;
  /** The same folder, for processes on the disk. */
  readonly contentOnDisk: string;
  /** Proxies of a store, or of all, on all nodes. */
  proxies(store?: StoreName): readonly StoreLinks["proxies"][StoreName][];
  close(): Promise<void>;
}

/** What a cluster is made of. */
export interface FaultSetup {
  /** Where records and jobs are: the files of each node, or PostgreSQL. Default: files. */
  readonly records?: string;
  /** Number of nodes. Default: two. */
  readonly count?: number;
}

/** Starts stores and nodes; resolves when all nodes are ready. */
export async function startFaultCluster({
  records = "files",
  count = 2,
}: FaultSetup = {}): Promise<FaultCluster> {
  const base = mkdtempSync(join(tmpdir(), "site-faults-"));
  const disk = await Disk.open(base, DISK_MB);
  disk.resolve(STORES.map(hostOf));
  const stores = await startStores();
  const receiver = await startReceiver();
  await createAccount(stores.databaseUrl);
  const content = join(disk.path, "content");
  await writeContent(content);
  const nodes = await Promise.all(
    ["a", "b", "c"].slice(0, count).map(async (name) => {
      const links = await stores.link();
      prepareRoot(join(disk.path, name), { links, records, receiver: receiver.url });
      const plan = { root: join(base, name), command: disk.command, port: await freePort() };
      return new FaultNode(name, links, plan);
    }),
  );
  const [a, b, ...more] = nodes;
  if (a === undefined || b === undefined) throw new Error("a cluster needs two nodes");
  for (const node of nodes) await node.start();
  return {
    nodes: [a, b, ...more],
    databaseUrl: stores.databaseUrl,
    disk,
    receiver,
    stores,
    content,
    contentOnDisk: join(base, "content"),
    proxies: (store) =>
      nodes.flatMap(({ links: { proxies } }) =>
        store === undefined ? Object.values(proxies) : [proxies[store]],
      ),
    close: async () => {
      for (const node of nodes) await node.end("SIGKILL");
      for (const { links } of nodes) {
        await Promise.all(Object.values(links.proxies).map((proxy) => proxy.close()));
      }
      await stores.stop();
      await receiver.close();
      disk.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

async function createAccount(databaseUrl: string): Promise<void> {
  const site = await bootSite({
    plugins: ["auth", "session", "users"],
    settings: { site: { auth: { userStore: "db" } } },
    env: { SITE_DB_URL: databaseUrl },
  });
  const users = site.site.use("users");
  const email = "editor@example.org";
  const user = await users.create({
    email,
    username: account.username,
    provider: "local",
    roles: ["admin"],
  });
  await users.setPassword(user.id, account.password);
  await site.close();
}

async function writeContent(content: string): Promise<void> {
  const write = (file: string, data: string | Buffer): void => {
    const path = join(content, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, data);
  };
  write("01.home/default.md", "---\ntitle: Home\n---\n![The harbour](harbour.png)\n");
  write("01.home/harbour.png", await gradient(1600, 1000).png().toBuffer());
  for (let at = 0; at < PAGES; at += 1) {
    write(`02.guide/page-${at}/default.md`, `---\ntitle: Page ${at}\n---\nThe harbour, ${at}.\n`);
  }
  write("03.notes/default.md", "---\ntitle: Notes\n---\nWritten under load.\n");
}

function prepareRoot(
  root: string,
  given: { links: StoreLinks; receiver: string; records: string },
): void {
  mkdirSync(root);
  symlinkSync("../content", join(root, "content"));
  const system = {
    cluster: { enabled: true, node: "$SITE_NODE" },
    session_store: { type: "redis", url: "$SITE_REDIS_URL" },
    rateLimit: { store: "redis" },
    records: { store: given.records },
    jobs: { engine: given.records },
    imageStore: { type: "s3", bucket: BUCKET, endpoint: given.links.s3Endpoint },
    images: { queue: { misses_per_minute: 100_000 } },
    server: { rate_limit: 1_000_000 },
    logging: { level: "warn" },
  };
  const webhook = { url: given.receiver, events: ["onPageCreate"] };
  const files = {
    "site.yaml": { title: "Faults", auth: { userStore: "db" }, health_token: TOKEN },
    "system.yaml": system,
    "admin.yaml": { webhooks: [webhook] },
  };
  for (const [file, settings] of Object.entries(files)) {
    // JSON is YAML.
    writeFileSync(join(root, file), JSON.stringify(settings));
  }
}
