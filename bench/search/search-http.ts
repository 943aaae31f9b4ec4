/**
 * `/api/search?q=` of a site of 1,000 pages over HTTP: CPU of the server per request, interleaved
 * with `node:http` sending a response of that size.
 */
import { fork, type ChildProcess } from "node:child_process";
import { Agent, createServer, get } from "node:http";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEnv, createSite, silentLog } from "#kernel";
import { firstParty } from "../../plugins/main.js";
import { createCorpus, createQueries, createVocabulary } from "../support/corpus.js";
import { machine, median, short, table, writeSection } from "../support/report.js";

const pages = 1000;
const seconds = 2;
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
/**
 * CPU per request of the original's engine and API on 1,000 pages, one and two words, in µs, and
 * of `node:http` in the same run on the same machine.
 */
const original = { one: 2331, two: 6469, floor: 18 };

interface Sample {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly p99: number;
}
type Ask = () => string;

async function serve(root: string): Promise<void> {
  const site = await createSite(root, {
    firstParty,
    selection: ["content", "markdown", "render", "search", "pages", "security", "cache"],
    env: createEnv({ SITE_ENV: "production" }),
    log: silentLog,
    overrides: { system: { server: { rate_limit: false } } },
  });
  const port = await site.listen(0);
  await site.ready;
  answerFor(port);
}

/** Bare Node: sends the same number of bytes for each request. */
async function serveFloor(size: number): Promise<void> {
  const body = Buffer.alloc(size, "x");
  const headers = { "Content-Type": "application/json", "Content-Length": size };
  const server = createServer((_req, res) => {
    res.writeHead(200, headers);
    res.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  answerFor((server.address() as AddressInfo).port);
}

/** Sends the port to the parent, and its CPU time on request. */
function answerFor(port: number): void {
  process.on("message", () => process.send?.({ cpu: process.cpuUsage() }));
  process.send?.({ port });
}

/** A server in a separate process, and the cost of its requests. */
class Server {
  readonly #process: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  #port = 0;

  private constructor(args: readonly string[]) {
    const execArgv = ["--import=tsx", "--conditions=source"];
    this.#process = fork(fileURLToPath(import.meta.url), [...args], { execArgv });
  }

  static async start(args: readonly string[]): Promise<Server> {
    const server = new Server(args);
    server.#port = (await server.#nextMessage<{ port: number }>()).port;
    return server;
  }

  stop(): void {
    this.#agent.destroy();
    this.#process.kill();
  }

  #nextMessage<T>(): Promise<T> {
    return new Promise((resolve) =>
      this.#process.once("message", (message) => resolve(message as T)),
    );
  }

  async #cpu(): Promise<number> {
    const answer = this.#nextMessage<{ cpu: NodeJS.CpuUsage }>();
    this.#process.send("cpu");
    const { user, system } = (await answer).cpu;
    return user + system;
  }

  /** Sixteen clients for some seconds. @throws if a response is not 200. */
  async load(ask: Ask): Promise<Sample> {
    const before = await this.#cpu();
    const end = performance.now() + seconds * 1000;
    const times: number[] = [];
    const client = async (): Promise<void> => {
      while (performance.now() < end) {
        const from = performance.now();
        await this.read(ask());
        times.push(performance.now() - from);
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    times.sort((x, y) => x - y);
    return {
      perSecond: times.length / seconds,
      cpuUs: ((await this.#cpu()) - before) / times.length,
      p99: times[Math.floor(times.length * 0.99)] ?? 0,
    };
  }

  /** Bytes of the body of one response. */
  read(path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      get(`http://127.0.0.1:${this.#port}${path}`, { agent: this.#agent }, (response) => {
        if (response.statusCode !== 200)
          reject(new Error(`${path} answered ${response.statusCode ?? 0}`));
        let size = 0;
        response
          .on("data", (chunk: Buffer) => (size += chunk.length))
          .on("end", () => resolve(size));
      }).on("error", reject);
    });
  }
}

async function writeSite(root: string, vocabulary: readonly string[]): Promise<void> {
  await writeFile(join(root, "site.yaml"), "title: Bench\n");
  for (const { route, title, body, tags } of createCorpus(pages, vocabulary)) {
    await mkdir(join(root, "content", route), { recursive: true });
    await writeFile(
      join(root, "content", route, "default.md"),
      `---\ntitle: "${title}"\ntaxonomy: { tag: [${tags.join(", ")}] }\n---\n${body}`,
    );
  }
}

const toPath = (query: string): string => `/api/search?q=${encodeURIComponent(query)}`;

/** The queries in turn. */
function inTurn(queries: readonly string[]): Ask {
  let next = 0;
  return () => toPath(queries[next++ % queries.length] ?? "");
}

/** Unique queries with the same work: each has an added letter that matches no term. */
function neverAgain(queries: readonly string[]): Ask {
  let next = 0;
  return () => {
    const at = next++;
    const turn = Math.floor(at / queries.length).toString(36);
    return toPath(`${queries[at % queries.length] ?? ""} ${turn.split("").join(" ")}`);
  };
}

/** Like real visitors: the n-th most frequent query occurs 1/n times as often as the first (Zipf's law). */
function asVisitors(queries: readonly string[]): Ask {
  const sums: number[] = [];
  for (const at of queries.keys()) sums.push((sums[at - 1] ?? 0) + 1 / (at + 1));
  const total = sums.at(-1) ?? 0;
  let seed = 1;
  return () => {
    // Pseudo-random numbers, so that all runs send the same queries.
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const wanted = (seed / 2_147_483_648) * total;
    return toPath(queries[sums.findIndex((sum) => sum >= wanted)] ?? "");
  };
}

async function meanSize(site: Server, queries: readonly string[]): Promise<number> {
  let sum = 0;
  for (const query of queries) sum += await site.read(toPath(query));
  return Math.round(sum / queries.length);
}

async function measure(site: Server, kind: "one" | "two", ask: Ask): Promise<string[]> {
  const size = await meanSize(site, Array.from({ length: 40 }, ask).map(queryOf));
  const floor = await Server.start(["floor", String(size)]);
  const [ours, bare]: [Sample[], Sample[]] = [[], []];
  await site.load(ask);
  for (let round = 0; round < rounds; round++) {
    bare.push(await floor.load(() => "/"));
    ours.push(await site.load(ask));
  }
  floor.stop();
  const middle = (samples: readonly Sample[], of: keyof Sample): number =>
    median(samples.map((sample) => sample[of]));
  const [cpu, base] = [middle(ours, "cpuUs"), middle(bare, "cpuUs")];
  return [
    short(size / 1024),
    short(middle(ours, "perSecond")),
    short(middle(ours, "p99")),
    short(base),
    `${short(cpu)} (${short(cpu / base)}×)`,
    `${short(original[kind] / original.floor)}×`,
    `${short(original[kind] / original.floor / (cpu / base))}×`,
    `${short(original[kind] / cpu)}×`,
  ];
}

function queryOf(path: string): string {
  return new URLSearchParams(path.slice(path.indexOf("?"))).get("q") ?? "";
}

async function main(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "site-bench-"));
  const vocabulary = createVocabulary();
  await writeSite(root, vocabulary);
  const site = await Server.start(["serve", root]);
  const asked = createQueries(vocabulary, 4000);
  const rows: string[][] = [];
  for (const kind of ["one", "two"] as const) {
    const queries = [...new Set(asked[kind] ?? [])];
    const few = inTurn(queries.slice(0, 40));
    rows.push([`${kind}, 40 queries again and again`, ...(await measure(site, kind, few))]);
    const many = asVisitors(queries);
    rows.push([`${kind}, as visitors ask`, ...(await measure(site, kind, many))]);
    rows.push([`${kind}, never the same`, ...(await measure(site, kind, neverAgain(queries)))]);
  }
  site.stop();
  await rm(root, { recursive: true, force: true });
  const head = [
    "words",
    "answer KB",
    "requests a second",
    "p99 ms",
    "node:http, µs",
    "site, µs",
    "original : its node:http",
    "ratio of the ratios",
    "original's µs : ours",
  ];
  await writeSection(
    "search-http",
    `## Search over HTTP

${machine()}. \`/api/search?q=\` on ${pages} pages, 16 connections, medians of ${rounds} rounds of ${seconds} s, interleaved with \`node:http\`, which sends the same number of bytes from memory. CPU of the server per request. Responses are cached for anonymous visitors until the index changes, but each search counts in the analytics; "as visitors ask" draws from ${asked["one"]?.length ?? 0} queries by Zipf's law (the tenth most frequent occurs a tenth as often as the first); "never the same" always runs the engine. The original's engine and API were measured on another day and machine: ${original.one} µs for one word and ${original.two} µs for two, where \`node:http\` took ${original.floor} µs (\`original : its node:http\`). The ratio of the ratios corrects for the different machines; the last column compares the plain figures, which a busy machine lowers.

${table(head, rows)}`,
  );
  process.exit(0);
}

if (process.argv[2] === "serve") await serve(process.argv[3] ?? "");
else if (process.argv[2] === "floor") await serveFloor(Number(process.argv[3]));
else await main();
