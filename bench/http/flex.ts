/** Ten thousand flex records: lists, slices and pages, compared with `node:http` sending the same bytes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/build.mjs";
import { generator } from "../support/content-files.js";
import { recordResponses } from "../support/record-responses.js";
import { median, short, table, writeSection } from "../support/report.js";
import { requestCost, type RequestCost } from "../support/requests.js";
import { startServer, type ServerProcess } from "../support/server-process.js";

const RECORDS = Number(process.env["BENCH_RECORDS"] ?? 10_000);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const SECONDS = 2;
// A connection is closed after ten thousand requests; fewer connections would reach that limit.
const CONNECTIONS = 32;
const LOAD = { connections: CONNECTIONS, seconds: SECONDS };
// The floor writes no access log.
const QUIET = { BENCH_LOG_LEVEL: "warn" };
const PATHS = [
  "/flex/product",
  "/flex/product?page=100",
  "/flex/product/r5000",
  "/api/flex/product?limit=20",
  "/api/flex/product?limit=20&offset=5000&order=price:desc",
  "/api/flex/product?limit=20&filter[kind]=book",
  "/api/flex/product/r5000",
  "/api/flex/product",
];

function writeSite(root: string): void {
  const folder = join(root, "flex-objects", "product");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(root, "content", "01.home"), { recursive: true });
  writeFileSync(join(root, "site.yaml"), "title: Bench\nurl: http://localhost:8000\n");
  writeFileSync(join(root, "content", "01.home", "default.md"), "# Home\n");
  writeFileSync(
    join(root, "flex-objects", "product.yaml"),
    "title: Products\nfields:\n  name: { type: text, required: true }\n  price: { type: number }\n  kind: { type: select, options: [book, film, game] }\n  tags: { type: list }\n  text: { type: textarea }\n",
  );
  const random = generator(7);
  for (let at = 0; at < RECORDS; at += 1) {
    const kind = ["book", "film", "game"][at % 3];
    const price = Math.round(random() * 10_000) / 100;
    const text = `Number ${at}, ${"a line of text about it ".repeat(4)}`;
    const time = 1_700_000_000_000 + at * 1_000;
    writeFileSync(
      join(folder, `r${at}.yaml`),
      `_id: r${at}\n_createdAt: ${time}\n_updatedAt: ${time}\nkind: ${kind}\nname: Product ${at}\nprice: ${price}\ntags: [one, two]\ntext: ${text}\n`,
    );
  }
}

interface Start {
  readonly site: ServerProcess;
  /** Seconds of wall time and of CPU time. */
  readonly text: string;
}

/** From process startup to the first response with records. */
async function startSite(root: string): Promise<Start> {
  const started = performance.now();
  const site = await startServer(["bench/support/site-server.mjs", root, "cached"], QUIET);
  await (await fetch(`${site.url}/api/flex/product?limit=1`)).arrayBuffer();
  const seconds = (performance.now() - started) / 1000;
  return { site, text: `${short(seconds)} s (${short(site.cpu() / 1_000_000)} s of CPU)` };
}

async function main(): Promise<void> {
  await build();
  const root = mkdtempSync(join(tmpdir(), "site-bench-"));
  writeSite(root);
  const cold = await startSite(root);
  await cold.site.stop();
  const warm = await startSite(root);
  const { site } = warm;
  const uncached = await startServer(["bench/support/site-server.mjs", root, "uncached"], QUIET);
  await (await fetch(`${uncached.url}/api/flex/product?limit=1`)).arrayBuffer();
  const answers = join(root, "answers.json");
  writeFileSync(answers, JSON.stringify(await recordResponses(site.url, PATHS)));
  const raw = await startServer(["bench/support/raw-server.mjs", answers]);
  const servers = { raw, site, uncached };
  const rows: string[][] = [];
  for (const path of PATHS) {
    const samples = {
      raw: new Array<RequestCost>(),
      site: new Array<RequestCost>(),
      uncached: new Array<RequestCost>(),
    };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of ["raw", "site", "uncached"] as const) {
        const sample = await requestCost(servers[name], { ...LOAD, paths: [path] });
        if (round > 0) samples[name].push(sample);
      }
    }
    const cpu = (name: keyof typeof samples): number => median(samples[name].map((one) => one.cpu));
    const p99 = (name: keyof typeof samples): number => median(samples[name].map((one) => one.p99));
    const share = (name: "site" | "uncached"): string =>
      `${Math.round((cpu("raw") / cpu(name)) * 100)} % (${short(cpu(name))})`;
    rows.push([
      `\`${path}\``,
      `${p99("raw")} / ${p99("site")} / ${p99("uncached")}`,
      short(cpu("raw")),
      share("site"),
      share("uncached"),
    ]);
    process.stdout.write(`${rows.at(-1)?.join("  ")}\n`);
  }
  const memory = site.rss();
  for (const server of Object.values(servers)) await server.stop();
  rmSync(root, { recursive: true, force: true });
  const head = [
    "response",
    "p99 ms: node:http / as served / uncached",
    "node:http, µs",
    "as served",
    "uncached",
  ];
  await writeSection(
    "flex",
    `## Flex records\n\n${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${RECORDS} records, ${CONNECTIONS} connections, medians of ${ROUNDS} interleaved rounds of ${SECONDS} s. \`node:http\` sends the same bytes and headers; percentages are relative to its CPU per request, µs in brackets. "As served" is the response to anonymous visitors; "uncached" bypasses the cache. From startup to the first response with records: ${cold.text} when all are read, ${warm.text} when they were cached; resident memory afterwards ${short(memory)} MB.\n\n${table(head, rows)}`,
  );
}

await main();
