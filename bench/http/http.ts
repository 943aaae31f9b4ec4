/** CPU per request of cached and uncached responses, compared with `node:http` and a common Express stack. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/build.mjs";
import { CONTENT_PATHS, writeContent } from "../support/content-files.js";
import { recordResponses } from "../support/record-responses.js";
import { median, short, table, writeSection } from "../support/report.js";
import { requestCost, type RequestCost } from "../support/requests.js";
import { startServer } from "../support/server-process.js";

/** CPU per request of Strapi 5.53 and Ghost 5.130, in µs. */
const PEERS = [
  { answer: "a page of HTML", path: "/section-0002/page-5", strapi: null, ghost: 18_750 },
  { answer: "a list of 20", path: "/api/pages", strapi: 2_967, ghost: 13_917 },
  { answer: "a single item", path: "/api/pages/section-0002/page-5", strapi: 839, ghost: 2_730 },
] as const;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const SECONDS = 2;
const CONNECTIONS = 32;
const LOAD = { connections: CONNECTIONS, seconds: SECONDS };

function orDash(value: number | null): string {
  return value === null ? "-" : String(value);
}

async function main(): Promise<void> {
  await build();
  const root = mkdtempSync(join(tmpdir(), "site-bench-"));
  writeContent(root, 1_000);
  const answers = join(root, "answers.json");
  const cached = await startServer(["bench/support/site-server.mjs", root, "cached"]);
  const uncached = await startServer(["bench/support/site-server.mjs", root, "uncached"]);
  writeFileSync(answers, JSON.stringify(await recordResponses(cached.url, CONTENT_PATHS)));
  const raw = await startServer(["bench/support/raw-server.mjs", answers]);
  const stack = await startServer(["bench/http/express-server.mjs", answers]);
  const servers = { raw, cached, uncached, stack };
  const rows: string[][] = [];
  const uncachedCpu = new Map<string, number>();
  for (const path of CONTENT_PATHS) {
    const samples = new Map<string, RequestCost[]>(Object.keys(servers).map((name) => [name, []]));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, server] of Object.entries(servers)) {
        const sample = await requestCost(server, { ...LOAD, paths: [path] });
        // The first round warms up.
        if (round > 0) samples.get(name)?.push(sample);
      }
    }
    const cpu = (name: string): number =>
      median((samples.get(name) ?? []).map((sample) => sample.cpu));
    uncachedCpu.set(path, cpu("uncached"));
    const p99 = (name: string): number =>
      median((samples.get(name) ?? []).map((sample) => sample.p99));
    const ratio = (name: string): string => `${Math.round((cpu("raw") / cpu(name)) * 100)} %`;
    rows.push([
      `\`${path}\``,
      short(cpu("raw")),
      `${ratio("cached")} (${short(cpu("cached"))})`,
      `${ratio("uncached")} (${short(cpu("uncached"))})`,
      `${ratio("stack")} (${short(cpu("stack"))})`,
      `${p99("raw")} / ${p99("cached")} / ${p99("uncached")} / ${p99("stack")}`,
    ]);
    process.stdout.write(`${rows.at(-1)?.join("  ")}\n`);
  }
  for (const server of Object.values(servers)) await server.stop();
  rmSync(root, { recursive: true, force: true });
  const head = [
    "response",
    "node:http, µs",
    "cached",
    "uncached",
    "Express stack",
    "p99 ms (same order)",
  ];
  const peers = table(
    ["response", "Strapi, µs", "Ghost, µs", "site, uncached, µs", "times Strapi", "times Ghost"],
    PEERS.map(({ answer, path, strapi, ghost }) => {
      const own = uncachedCpu.get(path) ?? NaN;
      const times = (peer: number | null): string =>
        peer === null ? "-" : `${short(peer / own)}×`;
      return [answer, ...[strapi, ghost].map(orDash), short(own), times(strapi), times(ghost)];
    }),
  );
  await writeSection(
    "http",
    `## HTTP, CPU per request\n\n${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${CONNECTIONS} connections, medians of ${ROUNDS} interleaved rounds of ${SECONDS} s, 1,000 pages, access log on, rate limit off. Percentages are relative to \`node:http\` sending the same bytes and headers (100 %: as cheap as bare Node); µs of CPU per request in brackets. "Uncached" is the same server with its response cache switched off. "Express stack" is Express with helmet, cors, express-rate-limit and express-session sending prepared bytes.\n\n${table(head, rows)}\n\nUncached responses compared with those of the peers: CPU per request, measured on 2026-11-20 on a machine of the same kind, 1,000 posts, 16 connections, one core. Their pages have other contents; Strapi renders no pages.\n\n${peers}`,
  );
}

await main();
