/** Measures one search engine on one corpus and prints the figures as JSON; started by search.ts. */
import { createCorpus, createQueries, createVocabulary } from "../support/corpus.js";
import { contenders } from "./engines.js";

/** Measurements of one engine on one corpus; times in ms, memory in MB. */
export interface Measurement {
  readonly buildMs: number;
  readonly buildCpuMs: number;
  readonly longestBlockMs: number;
  readonly memoryMb: number;
  readonly updateCpuMs: number | null;
  readonly classes: Readonly<Record<string, { p50: number; p99: number; matches: number }>>;
}

const [name = "", size = "1000", each = "40", rounds = "3"] = process.argv.slice(2);
const vocabulary = createVocabulary();
const pages = [...createCorpus(Number(size), vocabulary)];
const contender = contenders[name]?.();
if (!contender) throw new Error(`no engine ${JSON.stringify(name)}`);

const memory = (): number => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};
const settle = async (): Promise<number> => {
  for (let at = 0; at < 3; at++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    memory();
  }
  return memory();
};
const before = await settle();
let longestBlockMs = 0;
let last = performance.now();
const watch = setInterval(() => {
  const now = performance.now();
  longestBlockMs = Math.max(longestBlockMs, now - last);
  last = now;
}, 1);
const started = performance.now();
const cpu = process.cpuUsage();
await contender.build(pages);
await new Promise((resolve) => setTimeout(resolve, 5));
const used = process.cpuUsage(cpu);
const buildMs = performance.now() - started;
clearInterval(watch);
const memoryMb = (await settle()) - before;

const asked = createQueries(vocabulary, Number(each));
const warmUntil = performance.now() + 1500;
for (let round = 0; round < 20 && performance.now() < warmUntil; round++) {
  for (const queries of Object.values(asked)) {
    for (const query of queries) if (performance.now() < warmUntil) await contender.search(query);
  }
}
const classes: Record<string, { p50: number; p99: number; matches: number }> = {};
for (const [kind, queries] of Object.entries(asked)) {
  const best = new Map<number, number>();
  let matches = 0;
  for (let round = 0; round < Number(rounds) + 1; round++) {
    for (const [at, query] of queries.entries()) {
      const from = performance.now();
      const found = await contender.search(query);
      const ms = performance.now() - from;
      if (round === 0) matches += found / queries.length;
      else best.set(at, Math.min(best.get(at) ?? Infinity, ms));
    }
  }
  const sorted = [...best.values()].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  classes[kind] = { p50: at(0.5), p99: at(0.99), matches: Math.round(matches) };
}

/** CPU time for one changed page, after at most a second of warm-up changes, as for queries. */
async function measureUpdate(): Promise<number | null> {
  const update = contender?.update?.bind(contender);
  if (!update) return null;
  const changes = Math.max(3, Math.min(300, Math.floor(pages.length / 4)));
  const change = async (round: number, maxMs: number): Promise<number> => {
    const wall = performance.now();
    let done = 0;
    for (; done < changes && performance.now() - wall < maxMs; done++) {
      const page = pages[(done * 37 + round) % pages.length];
      if (!page) continue;
      const body = `${page.body} changed ${round} ${done}`;
      await update({ ...page, title: `${page.title} again`, body });
    }
    return done;
  };
  await change(1, 1_000);
  const from = process.cpuUsage();
  const done = await change(0, 10_000);
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000 / done;
}

const measured: Measurement = {
  buildMs,
  buildCpuMs: (used.user + used.system) / 1000,
  longestBlockMs,
  memoryMb,
  classes,
  updateCpuMs: await measureUpdate(),
};
process.stdout.write(JSON.stringify(measured));
