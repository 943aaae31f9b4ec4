/**
 * Building the content index, cold and from its snapshot, compared with `readFileSync` of the same
 * bytes in the same run; and the next generation after one changed page.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { silentLog } from "#kernel";
import { ContentStore } from "../../plugins/content/index/content-store.js";
import type { ContentRules } from "../../plugins/content/index/store-options.js";
import { createRandom } from "../support/corpus.js";

/** One measured row; `ratio` is value / floor, both in ms. */
export interface IndexRow {
  name: string;
  value: number;
  floor: number;
  ratio: number;
}

const rounds = 5;
const words =
  "lorem ipsum dolor sit amet consetetur sadipscing elitr sed diam nonumy eirmod tempor".split(" ");

/** Measures trees of the given sizes. */
export async function measureContentIndex(
  sizes: readonly number[] = [1000, 10_000],
): Promise<IndexRow[]> {
  const rows: IndexRow[] = [];
  for (const size of sizes) rows.push(...(await measureTree(size)));
  return rows;
}

async function measureTree(pages: number): Promise<IndexRow[]> {
  const root = mkdtempSync(join(tmpdir(), "site-bench-"));
  try {
    const files = makeTree(join(root, "content"), pages);
    // The modification time of a recently changed folder is not trusted.
    await delay(2500);
    const times = { floor: [0], cold: [0], warm: [0], change: [0] };
    for (const list of Object.values(times)) list.length = 0;
    for (let round = 0; round < rounds; round += 1) {
      times.floor.push(await timed(() => files.forEach((file) => readFileSync(file))));
      rmSync(join(root, "cache"), { recursive: true, force: true });
      const cold = storeOn(root);
      times.cold.push(await timed(() => cold.load()));
      // As a site does once it watches its folders, whose times the next start asks for.
      await cold.rescan();
      await cold.close();
      const warm = storeOn(root);
      times.warm.push(await timed(() => warm.load()));
      times.change.push(await timeOfChange(warm, files[round * 7] ?? "", root));
      await warm.close();
    }
    const floor = median(times.floor);
    const row = (name: string, values: number[]): IndexRow => ({
      name: `${name}, ${pages} pages`,
      value: median(values),
      floor,
      ratio: median(values) / floor,
    });
    return [
      row("cold", times.cold),
      row("warm", times.warm),
      row("one page changed", times.change),
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function timeOfChange(store: ContentStore, file: string, root: string): Promise<number> {
  store.index.orders.get("date", "desc");
  store.index.orders.get("title", "asc");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, `${text}\nchanged\n`);
  const path = file.slice(join(root, "content").length + 1);
  const time = await timed(() => store.refresh([path]));
  writeFileSync(file, text);
  utimesSync(file, new Date(0), new Date(0));
  return time;
}

function storeOn(root: string): ContentStore {
  const rules: ContentRules = {
    root: join(root, "content"),
    isReserved: () => false,
    codeFormats: new Set<string>(),
    formats: new Set(["md", "mdx", "tsx"]),
    languages: ["en"],
    defaultLanguage: "en",
    includeDefaultInUrl: false,
    templates: new Set(["post"]),
    home: null,
    timezone: "UTC",
  };
  return new ContentStore({
    rules: () => rules,
    check: "file",
    snapshotFile: join(root, "cache", "index.ndjson"),
    log: silentLog,
    isExport: false,
    keepsLastGood: false,
    onChange: () => undefined,
  });
}

function makeTree(content: string, pages: number): string[] {
  const random = createRandom(1);
  const files: string[] = [];
  const past = new Date(Date.now() - 3_600_000);
  for (let at = 0; at < pages; at += 1) {
    const section = String((at % 20) + 1).padStart(2, "0");
    const file = join(content, `${section}.section`, `page-${at}`, "post.md");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, pageText(at, random));
    // Very recent files are always read again.
    utimesSync(file, past, past);
    files.push(file);
  }
  return files;
}

function pageText(at: number, random: () => number): string {
  const word = (): string => words[Math.floor(random() * words.length)] ?? "";
  const body = Array.from({ length: 380 }, word).join(" ");
  const day = String((at % 28) + 1).padStart(2, "0");
  return [
    "---",
    `title: "Page ${at} ${word()} ${word()}"`,
    `date: 2024-0${(at % 9) + 1}-${day}`,
    "taxonomy:",
    `  category: [${word()}]`,
    "  tag:",
    `    - ${word()}`,
    `    - ${word()}`,
    "metadata:",
    `  description: ${word()} ${word()} ${word()}`,
    "---",
    `# ${word()} ${word()}`,
    "",
    body,
    "",
  ].join("\n");
}

async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const rows = await measureContentIndex();
  for (const row of rows) console.log(JSON.stringify(row));
}
