/** Search engines on corpora of 1,000, 10,000 and 100,000 pages: `tsx bench/search/search.ts [sizes] [engines]`. */
import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { median, short, table, writeSection } from "../support/report.js";
import type { Measurement } from "./run-engine.js";

const run = promisify(execFile);
const script = fileURLToPath(new URL("run-engine.ts", import.meta.url));
const engines = [
  "ref",
  "builtin",
  "ref-full",
  "builtin-full",
  "minisearch",
  "flexsearch",
  "fts5",
  "orama",
  "lunr",
  "search-lunr",
  "naive",
];
/** Peers that are too slow or too large for a size. */
const leftOut: Readonly<Record<number, readonly string[]>> = {
  10_000: ["naive"],
  100_000: ["lunr", "search-lunr", "naive"],
};
const references: Readonly<Record<string, string>> = { builtin: "ref", "builtin-full": "ref-full" };

/** Interleaved processes of each engine, because the speed of the machine varies. */
function processesOf(engine: string, size: number): number {
  if (size >= 100_000) return 1;
  if (isOurs(engine)) return size < 10_000 ? 7 : 3;
  return size < 10_000 && engine !== "naive" ? 3 : 1;
}

function isOurs(engine: string): boolean {
  return engine.startsWith("ref") || engine.startsWith("builtin");
}

/** The medians of several processes. */
function medianOf(runs: readonly Measurement[]): Measurement {
  const [first, ...others] = runs;
  if (first === undefined) throw new Error("nothing was measured");
  const of = (pick: (run: Measurement) => number | undefined): number =>
    median([first, ...others].map((run) => pick(run) ?? NaN));
  const kinds = Object.entries(first.classes).map(([kind, { matches }]) => {
    const p50 = of((run) => run.classes[kind]?.p50);
    return [kind, { p50, p99: of((run) => run.classes[kind]?.p99), matches }] as const;
  });
  return {
    buildMs: of((run) => run.buildMs),
    buildCpuMs: of((run) => run.buildCpuMs),
    longestBlockMs: of((run) => run.longestBlockMs),
    memoryMb: of((run) => run.memoryMb),
    updateCpuMs: first.updateCpuMs === null ? null : of((run) => run.updateCpuMs ?? undefined),
    classes: Object.fromEntries(kinds),
  };
}

async function measure(engine: string, size: number): Promise<Measurement> {
  const [queries, rounds] =
    isOurs(engine) || size < 10_000 ? [40, 3] : size < 100_000 ? [20, 1] : [10, 1];
  const flags = [
    "--max-old-space-size=12000",
    "--expose-gc",
    "--import=tsx",
    "--conditions=source",
  ];
  const { stdout } = await run(
    process.execPath,
    [...flags, script, engine, String(size), String(queries), String(rounds)],
    { maxBuffer: 1 << 24 },
  );
  return JSON.parse(stdout) as Measurement;
}

function rowsOf(results: ReadonlyMap<string, Measurement>): string[][] {
  return [...results].map(
    ([engine, { buildCpuMs, memoryMb, updateCpuMs, longestBlockMs, classes }]) => [
      engine,
      short(buildCpuMs / 1000),
      short(longestBlockMs),
      short(memoryMb),
      updateCpuMs === null ? "-" : short(updateCpuMs),
      ...Object.values(classes).map(({ p50, p99 }) => `${short(p50)} / ${short(p99)}`),
    ],
  );
}

/** The figures of each engine as multiples of those of its reference. */
function ratiosOf(results: ReadonlyMap<string, Measurement>): string[][] {
  return [...results].flatMap(([engine, measured]) => {
    const reference = results.get(references[engine] ?? "ref");
    if (!reference || measured === reference) return [];
    const per = (value: number, base: number): string => `${short(value / base)}×`;
    const classes = Object.entries(measured.classes).map(([kind, { p50, p99 }]) => {
      const base = reference.classes[kind];
      return base ? `${per(p50, base.p50)} / ${per(p99, base.p99)}` : "-";
    });
    return [
      [
        `${engine} : ${references[engine] ?? "ref"}`,
        per(measured.buildCpuMs, reference.buildCpuMs),
        per(measured.memoryMb, reference.memoryMb),
        ...classes,
      ],
    ];
  });
}

async function measureAll(
  size: number,
  names: readonly string[],
): Promise<Map<string, Measurement>> {
  const runs = new Map<string, Measurement[]>(names.map((name) => [name, []]));
  for (let round = 0; round < 7; round += 1) {
    for (const [engine, done] of runs) {
      if (round >= processesOf(engine, size)) continue;
      process.stderr.write(`${size} ${engine}\n`);
      try {
        done.push(await measure(engine, size));
      } catch (error) {
        process.stderr.write(`${engine}: ${String(error).slice(0, 300)}\n`);
      }
    }
  }
  const measured = [...runs].filter(([, done]) => done.length > 0);
  return new Map(measured.map(([engine, done]) => [engine, medianOf(done)]));
}

const notes = `\`ref\` is a simple inverted index over typed arrays with the specified score (\`bench/search/reference-engine.ts\`), \`ref-full\` and \`builtin-full\` add a date filter, two facets and excerpts. Top 20, any of the words, with prefixes. Medians of processes, interleaved: for the references and \`builtin\` seven at 1,000 pages and three at 10,000, for the peers three at 1,000, otherwise one. Build is CPU time; memory is heap and typed arrays without the texts; queries are the best of several rounds, p50 / p99 over the queries of a class, in ms; update is the CPU time for one changed page in ms; block is the longest time that the build blocked the event loop. FlexSearch returns at most 20 ids per field, without scores or totals, and here without prefixes; SQLite's heap is not included; no peer computes the specified score. \`naive\` reads every text for every query. Where a peer is faster: FlexSearch responds in a microsecond because it looks up one word, takes the first 20 ids and stops, without scores, totals, prefixes or facets; SQLite builds small corpora in half the time because its tokeniser is written in C. \`search-lunr\` is the plugin's engine: lunr finds documents and the standard score ranks them; it builds in steps of a few milliseconds, and its remaining blocks are garbage collections of lunr's data. The reference is faster than \`builtin\` only for queries without results, where both take microseconds. On a busy machine, block times are mostly waiting for a core: the longest step of a build of 100,000 pages takes 40 ms of CPU.`;

const sizes = (process.argv[2] ?? "1000,10000,100000").split(",").map(Number);
const wanted = process.argv[3]?.split(",") ?? engines;
const sections: string[] = [];
for (const size of sizes) {
  const results = await measureAll(
    size,
    wanted.filter((name) => !leftOut[size]?.includes(name)),
  );
  const kinds = Object.keys([...results.values()][0]?.classes ?? {});
  const head = ["engine", "build s", "block ms", "memory MB", "update ms", ...kinds];
  const ratios = ["ratio", "build", "memory", ...kinds];
  sections.push(
    `### ${size} pages\n\n${table(head, rowsOf(results))}\n\n${table(ratios, ratiosOf(results))}`,
  );
  const machine = `Node ${process.version}, ${cpus().length} shared cores.`;
  await writeSection("search", `## Search\n\n${machine} ${notes}\n\n${sections.join("\n\n")}`);
}
