/** Lists of pages with ten declared fields: filtered, ordered and sparse, compared with the plain list. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/build.mjs";
import { generator } from "../support/content-files.js";
import { median, short, table, writeSection } from "../support/report.js";
import { requestCost } from "../support/requests.js";
import { startServer, type ServerProcess } from "../support/server-process.js";

const SIZES = (process.env["BENCH_PAGES"] ?? "10000,100000").split(",").map(Number);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const SECONDS = 2;
const CONNECTIONS = 8;
const LOAD = { connections: CONNECTIONS, seconds: SECONDS };
const QUIET = { BENCH_LOG_LEVEL: "warn" };
const FIELDS =
  "fields:\n  price: { type: number }\n  stock: { type: number }\n  kind: { type: select, options: [book, film, game] }\n  maker: { type: text }\n  colour: { type: text }\n  released: { type: date }\n  featured: { type: toggle }\n  tags: { type: list }\n  rating: { type: number }\n  note: { type: text }\n";
const ONE = "filter[kind]=book&filter[price][gte]=20&order=rating:desc,price&fields=title,price";

/** Addresses by what they measure; a list of addresses is requested in turn. */
const LISTS: readonly (readonly [name: string, paths: readonly string[]])[] = [
  ["plain, another page each time", paths((at) => `limit=20&offset=${at * 20}`)],
  ["query, another page each time", paths((at) => `limit=20&offset=${at * 20}&${ONE}`)],
  [
    "query, another price each time",
    paths((at) => `limit=20&${ONE.replace("=20&", `=${(at * 0.37).toFixed(2)}&`)}`),
  ],
  ["query by cursor", paths(() => `limit=20&cursor=&${ONE}`)],
];

function paths(query: (at: number) => string): string[] {
  return Array.from({ length: 200 }, (_, at) => `/api/pages?${query(at)}`);
}

function writeSite(root: string, count: number): void {
  mkdirSync(join(root, "blueprints"), { recursive: true });
  mkdirSync(join(root, "content", "01.home"), { recursive: true });
  writeFileSync(join(root, "site.yaml"), "title: Bench\nurl: http://localhost:8000\n");
  writeFileSync(join(root, "blueprints", "product.yaml"), FIELDS);
  writeFileSync(join(root, "content", "01.home", "default.md"), "# Home\n");
  const random = generator(7);
  const below = (max: number): number => Math.floor(random() * max);
  for (let at = 0; at < count; at += 1) {
    const folder = join(root, "content", `${String(2 + Math.floor(at / 500)).padStart(4, "0")}.s`);
    if (at % 500 === 0) mkdirSync(folder, { recursive: true });
    const day = new Date(Date.UTC(2020, 0, 1 + below(2_000))).toISOString().slice(0, 10);
    writeFileSync(
      join(folder, `p${at}.md`),
      `---\ntitle: Product ${at}\ntemplate: product\ndate: ${day}\nprice: ${below(10_000) / 100}\nstock: ${below(500)}\nkind: ${["book", "film", "game"][below(3)]}\nmaker: Maker ${below(200)}\ncolour: ${["red", "green", "blue"][below(3)]}\nreleased: ${day}\nfeatured: ${below(2) === 0}\ntags: [t${below(9)}, t${below(9)}]\nrating: ${below(50) / 10}\nnote: Note ${at}\n---\nText.\n`,
    );
  }
}

/** Milliseconds of the first request, which builds the indexes that it needs. */
async function first(server: ServerProcess, path: string): Promise<number> {
  const from = performance.now();
  const answer = await fetch(server.url + path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  await answer.arrayBuffer();
  return performance.now() - from;
}

async function measure(count: number): Promise<string[][]> {
  const root = mkdtempSync(join(tmpdir(), "site-bench-"));
  writeSite(root, count);
  const server = await startServer(["bench/support/site-server.mjs", root, "uncached"], QUIET);
  const samples = new Map<string, number[]>();
  const firsts = new Map<string, number>();
  for (const [name, [path = ""]] of LISTS) firsts.set(name, await first(server, path));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, all] of LISTS) {
      const { cpu } = await requestCost(server, { ...LOAD, paths: all });
      if (round > 0) samples.set(name, [...(samples.get(name) ?? []), cpu]);
    }
  }
  await server.stop();
  rmSync(root, { recursive: true, force: true });
  const plain = median(samples.get(LISTS[0]?.[0] ?? "") ?? []);
  return LISTS.map(([name]) => {
    const cpu = median(samples.get(name) ?? []);
    const ratio = `${short(cpu / plain)}×`;
    return [String(count), name, short(cpu), ratio, short(firsts.get(name) ?? 0)];
  });
}

async function main(): Promise<void> {
  await build();
  const rows: string[][] = [];
  for (const count of SIZES) rows.push(...(await measure(count)));
  const head = ["pages", "list", "CPU, µs", "of plain", "first request, ms"];
  await writeSection(
    "query",
    `## Queries\n\n${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ten declared fields, ${CONNECTIONS} connections, medians of ${ROUNDS} interleaved rounds of ${SECONDS} s. No response comes from the cache. The query is \`${ONE}\`. The first request of a query builds the indexes of its names, once per change of the tree.\n\n${table(head, rows)}`,
  );
}

await main();
