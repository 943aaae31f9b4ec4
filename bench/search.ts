/** Search engines on corpora of 1,000, 10,000 and 100,000 pages: `tsx bench/search.ts [sizes] [engines]`. */
import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { median, short, table, writeSection } from "./report.js";
import type { Measurement } from "./search-run.js";

const run = promisify(execFile);
const script = fileURLToPath(new URL("search-run.ts", import.meta.url));
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
/** Peers that do not fit into memory or time at a size. */
const leftOut: Readonly<Record<number, readonly string[]>> = {
  10_000: ["naive"],
  100_000: ["lunr", "search-lunr", "naive"],
};
const marks: Readonly<Record<string, string>> = { builtin: "ref", "builtin-full": "ref-full" };

/** Processes of each engine, by turns; the machine's pace changes from minute to minute. */
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

/** Each engine's figures as multiples of its mark's. */
function ratiosOf(results: ReadonlyMap<string, Measurement>): string[][] {
  return [...results].flatMap(([engine, measured]) => {
    const mark = results.get(marks[engine] ?? "ref");
    if (!mark || measured === mark) return [];
    const per = (value: number, base: number): string => `${short(value / base)}×`;
    const classes = Object.entries(measured.classes).map(([kind, { p50, p99 }]) => {
      const base = mark.classes[kind];
      return base ? `${per(p50, base.p50)} / ${per(p99, base.p99)}` : "-";
    });
    return [
      [
        `${engine} : ${marks[engine] ?? "ref"}`,
        per(measured.buildCpuMs, mark.buildCpuMs),
        per(measured.memoryMb, mark.memoryMb),
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

const notes = `\`ref\` is a plain inverted index over typed arrays with the specified score (\`bench/search-reference.ts\`), \`ref-full\` the same with a date filter, two facets and excerpts; \`builtin-full\` does that too. Top 20, any of the words, prefixes on. Medians of processes by turns: of the marks and \`builtin\` seven at 1,000 pages and three at 10,000, of the peers three at 1,000, else one. Build is CPU time; memory is heap and typed arrays without the texts; queries are the best of several rounds, p50 / p99 over the queries of a class, in ms; update is CPU of one changed page in ms; block is the longest time the event loop stood still during the build. FlexSearch gives at most 20 ids per field, without scores or totals and without prefixes here; SQLite's heap is outside of what is measured; no peer computes the specified score. \`naive\` reads every text at every query. Where a peer is faster: FlexSearch answers in a microsecond because it looks one word up, takes the first 20 ids and stops, without scores, totals, prefixes or facets; SQLite builds small corpora in half the time because its tokeniser is C. \`search-lunr\` is the plugin's engine: lunr finds, the shared score ranks; it builds a few milliseconds at a time, and what still stops it there is the collection of lunr's garbage. The mark is faster than \`builtin\` only where there is nothing to find and both take microseconds. When the machine was busy, block times are mostly waiting for a core: the longest step of a build of 100,000 pages takes 40 ms of CPU.`;

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
