/** `/api/search?q=` of a site of 1,000 pages over HTTP: requests a second and CPU of the server for each. */
import { fork } from "node:child_process";
import { Agent, get } from "node:http";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEnv, createSite, silentLog } from "#kernel";
import { house } from "../plugins/main.js";
import { createCorpus, createQueries, createVocabulary } from "./search-corpus.js";
import { short, table, writeSection } from "./report.js";

const pages = 1000;
/** CPU per request of the original's engine and API on 1,000 pages, one and two words, in microseconds. */
const original = { one: 2331, two: 6469 };

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

if (process.argv[2] === "serve") await serve(process.argv[3] ?? "");
else await main();

async function serve(root: string): Promise<void> {
  const site = await createSite(root, {
    house,
    selection: ["content", "markdown", "render", "search", "pages", "security", "cache"],
    env: createEnv({ SITE_ENV: "production" }),
    log: silentLog,
    overrides: { system: { server: { rate_limit: false } } },
  });
  const port = await site.listen(0);
  await site.ready;
  process.on("message", () => process.send?.({ cpu: process.cpuUsage() }));
  process.send?.({ port });
}

async function main(): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "site-bench-"));
  const vocabulary = createVocabulary();
  await writeFile(join(root, "site.yaml"), "title: Bench\n");
  for (const { route, title, body, tags } of createCorpus(pages, vocabulary)) {
    await mkdir(join(root, "content", route), { recursive: true });
    await writeFile(
      join(root, "content", route, "default.md"),
      `---\ntitle: "${title}"\ntaxonomy: { tag: [${tags.join(", ")}] }\n---\n${body}`,
    );
  }
  const flags = ["--import=tsx", "--conditions=source"];
  const server = fork(fileURLToPath(import.meta.url), ["serve", root], { execArgv: flags });
  const told = <T>(): Promise<T> =>
    new Promise((resolve) => server.once("message", (message) => resolve(message as T)));
  const { port } = await told<{ port: number }>();
  const cpu = async (): Promise<number> => {
    const answer = told<{ cpu: NodeJS.CpuUsage }>();
    server.send("cpu");
    const { user, system } = (await answer).cpu;
    return user + system;
  };
  const load = async (queries: readonly string[], seconds: number) => {
    const before = await cpu();
    const end = performance.now() + seconds * 1000;
    const times: number[] = [];
    let next = 0;
    const client = async (): Promise<void> => {
      while (performance.now() < end) {
        const from = performance.now();
        await ask(
          `http://127.0.0.1:${port}/api/search?q=${encodeURIComponent(queries[next++ % queries.length] ?? "")}`,
        );
        times.push(performance.now() - from);
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    times.sort((x, y) => x - y);
    return {
      perSecond: times.length / seconds,
      cpuUs: ((await cpu()) - before) / times.length,
      p99: times[Math.floor(times.length * 0.99)] ?? 0,
    };
  };
  const asked = createQueries(vocabulary, 4000);
  const rows: string[][] = [];
  for (const [name, kind, many] of [
    ["40 queries of one word, again and again", "one", 40],
    ["4,000 different ones", "one", 4000],
    ["40 queries of two words, again and again", "two", 40],
    ["4,000 different ones", "two", 4000],
  ] as const) {
    const queries = (asked[kind] ?? []).slice(0, many);
    await load(queries, 2);
    const { perSecond, cpuUs, p99 } = await load(queries, 5);
    rows.push([
      name,
      short(perSecond),
      short(cpuUs),
      short(p99),
      `${short(original[kind] / cpuUs)}×`,
    ]);
  }
  server.kill();
  await rm(root, { recursive: true, force: true });
  const head = ["queries", "requests a second", "CPU µs each", "p99 ms", "original's CPU : ours"];
  await writeSection(
    "search-http",
    `## Search over HTTP\n\n\`/api/search?q=\` on ${pages} pages, 16 connections, ${process.version}; the original takes ${original.one} µs for one word and ${original.two} µs for two. The last column is the ratio of throughput on the same core.\n\n${table(head, rows)}`,
  );
  process.exit(0);
}

/** Reads one answer whole; throws when it is not 200. */
function ask(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`${url} answered ${response.statusCode ?? 0}`));
      response.resume().on("end", resolve);
    }).on("error", reject);
  });
}
