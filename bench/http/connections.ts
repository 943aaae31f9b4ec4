/**
 * CPU per cached response at 1, 16 and 64 connections, compared with `node:http`, by two load
 * generators: autocannon, and wrk from Debian's packages.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import autocannon from "autocannon";
import { build } from "../../scripts/build.mjs";
import { debianProgram } from "../../scripts/services/debian-program.js";
import { writeContent } from "../support/content-files.js";
import { recordResponses } from "../support/record-responses.js";
import { machine, median, short, table, writeSection } from "../support/report.js";
import { startServer, type ServerProcess } from "../support/server-process.js";

const PATHS = ["/", "/api/pages", "/api/pages/section-0002/page-5", "/api/nav"];
const CONNECTIONS = [1, 16, 64];
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const SECONDS = 1;

/** Sends requests for a second; resolves with the number of responses. */
type Generator = (url: string, connections: number) => Promise<number>;

const withAutocannon: Generator = async (url, connections) => {
  const result = await autocannon({ url, connections, duration: SECONDS });
  return result["2xx"];
};

async function withWrk(): Promise<Generator> {
  const { path, env } = await debianProgram({ binary: "wrk", packages: ["wrk"] });
  const run = promisify(execFile);
  return async (url, connections) => {
    const words = ["-t1", `-c${connections}`, `-d${SECONDS}s`, url];
    const { stdout } = await run(path, words, { env: { ...process.env, ...env } });
    if (/Non-2xx/.test(stdout)) throw new Error(`${url}: responses were not 2xx`);
    return Number(/(\d+) requests in/.exec(stdout)?.[1]);
  };
}

async function measure(
  server: ServerProcess,
  load: { generator: Generator; path: string; connections: number },
): Promise<number> {
  const before = server.cpu();
  const responses = await load.generator(server.url + load.path, load.connections);
  return (server.cpu() - before) / responses;
}

async function ratio(
  { raw, site }: { raw: ServerProcess; site: ServerProcess },
  load: { generator: Generator; path: string; connections: number },
): Promise<string> {
  const cpu = { raw: new Array<number>(), site: new Array<number>() };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const samples = { raw: await measure(raw, load), site: await measure(site, load) };
    // The first round warms up.
    if (round === 0) continue;
    cpu.raw.push(samples.raw);
    cpu.site.push(samples.site);
  }
  const [floor, own] = [median(cpu.raw), median(cpu.site)];
  return `${Math.round((floor / own) * 100)} % (${short(floor)} / ${short(own)})`;
}

async function main(): Promise<void> {
  await build();
  const root = mkdtempSync(join(tmpdir(), "site-bench-"));
  writeContent(root, 1_000);
  const answers = join(root, "answers.json");
  const site = await startServer(["bench/support/site-server.mjs", root, "cached"]);
  writeFileSync(answers, JSON.stringify(await recordResponses(site.url, PATHS)));
  const raw = await startServer(["bench/support/raw-server.mjs", answers]);
  const generators = { autocannon: withAutocannon, wrk: await withWrk() };
  const rows: string[][] = [];
  for (const path of PATHS) {
    for (const [name, generator] of Object.entries(generators)) {
      const row = [`\`${path}\``, name];
      for (const connections of CONNECTIONS) {
        row.push(await ratio({ raw, site }, { generator, path, connections }));
      }
      rows.push(row);
      process.stdout.write(`${row.join("  ")}\n`);
    }
  }
  for (const server of [site, raw]) await server.stop();
  rmSync(root, { recursive: true, force: true });
  const head = [
    "cached response",
    "load by, connections",
    ...CONNECTIONS.map((count) => `${count} at once`),
  ];
  await writeSection(
    "connections",
    `## Connections\n\n${machine()}; medians of ${ROUNDS} interleaved rounds of ${SECONDS} s, 1,000 pages, default settings, access log on, rate limit off. CPU per request of \`node:http\` with the same bytes and headers, as a percentage of the site's; µs of both in brackets.\n\n${table(head, rows)}`,
  );
}

await main();
