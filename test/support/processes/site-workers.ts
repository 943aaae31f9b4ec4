// `site serve` with several workers, and connections that each reach one of them.
import { once } from "node:events";
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { atomicWrite } from "#kernel";
import { bootSite } from "../sites/boot-site.js";
import { startServer, type SiteProcess } from "./site-process.js";

const HEALTH_TOKEN = "0123456789abcdef";
const HEALTH = `/health?detailed=true&token=${HEALTH_TOKEN}`;
const shape = z.looseObject({
  status: z.string(),
  webhooks: z.object({ sending: z.boolean() }).optional(),
  workers: z.object({
    this: z.number(),
    all: z.array(
      z.object({ id: z.number(), pid: z.number(), state: z.string(), isLeader: z.boolean() }),
    ),
  }),
});

/** The response of a worker. */
export interface WorkerResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}
/** A connection that stays with one worker. */
export interface WorkerClient {
  id: number;
  pid: number;
  send(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: unknown },
  ): Promise<WorkerResponse>;
  health(): Promise<z.output<typeof shape>>;
}
/** A server with workers. */
export interface WorkersServer extends SiteProcess {
  url: string;
  /** Authorization of the admin API. */
  auth: { authorization: string };
  /** A connection to each of the workers that run, by id. */
  clients(count?: number): Promise<WorkerClient[]>;
  /** Ends it; resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}
/** The site, as files. */
export interface WorkersSite {
  root: string;
  /** Below `webhooks` of admin.yaml. */
  webhook?: string;
  /** system.yaml. */
  system?: string;
  admin?: string;
  env?: Record<string, string>;
  files?: Readonly<Record<string, string | Buffer>>;
  /** Arguments of node, for all processes. */
  node?: readonly string[];
}

/** Writes a site; resolves with the headers of an API token that may write pages. */
export async function writeSite({
  root,
  webhook,
  system = "",
  admin = "",
  files = {},
}: WorkersSite): Promise<WorkersServer["auth"]> {
  const hooks = `webhooks:\n  - url: ${webhook}\n    events: [onPageCreate, onPageUpdate]\n`;
  const all: Record<string, string | Buffer> = {
    "site.yaml": `title: Test\nhealth_token: ${HEALTH_TOKEN}\n`,
    "system.yaml": system,
    "admin.yaml": `${admin}${webhook === undefined ? "" : hooks}`,
    "content/01.home/default.md": "---\ntitle: Home\n---\n",
    ...files,
  };
  for (const [file, text] of Object.entries(all)) await atomicWrite(join(root, file), text);
  const site = await bootSite({ root, plugins: ["admin", "users", "session", "content"] });
  const permissions = ["read", "update", "create", "publish", "delete"].map(
    (right) => `pages.${right}`,
  );
  const wanted = { name: "test", permissions, userId: null, expiresAt: null };
  const token = (await site.site.use("admin").tokens.create(wanted)).secret;
  await site.close();
  return { authorization: `Bearer ${token}` };
}

/** Writes a site with an API token and serves it with workers. */
export async function startWorkers(site: WorkersSite, count = 2): Promise<WorkersServer> {
  const { root, env = {}, node = [] } = site;
  const auth = await writeSite(site);
  const server = await startServer(root, { env, node, more: ["--workers", String(count)] });
  return {
    ...server,
    auth,
    clients: (wantedCount = count) => clientsOf(server.url, wantedCount),
    stop: async (signal = "SIGTERM") => {
      const { child } = server;
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill(signal);
      await once(child, "exit");
      return child.exitCode;
    },
  };
}

/** New connections go to the workers in turn. */
async function clientsOf(url: string, count: number): Promise<WorkerClient[]> {
  const found = new Map<number, WorkerClient>();
  for (let at = 0; at < 20 * count && found.size < count; at += 1) {
    const client = connect(url);
    const { workers } = await client.health();
    const pid = workers.all.find(({ id }) => id === workers.this)?.pid ?? 0;
    if (!found.has(workers.this)) found.set(workers.this, { ...client, id: workers.this, pid });
  }
  return [...found.values()].toSorted((a, b) => a.id - b.id);
}

function connect(url: string): Omit<WorkerClient, "id" | "pid"> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send: WorkerClient["send"] = (method, path, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const type = body === undefined ? {} : { "content-type": "application/json" };
      const options = { method, agent, headers: { ...type, ...headers } };
      const sent = request(`${url}${path}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const { statusCode: status = 0, headers: received } = response;
          resolve({ status, headers: received, text: Buffer.concat(chunks).toString() });
        });
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return { send, health: async () => shape.parse(JSON.parse((await send("GET", HEALTH)).text)) };
}
