// `npm run soak [-- --minutes 60 --connections 1000 --share 0.7 --write]`: visitors, edits, logins and uploads for an
// hour at a share of what the machine can do; `--write` puts the outcome into bench/RESULTS.md and the documentation.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Editor } from "./editors.js";
import { intervalShape, type Interval, type Tick } from "./interval.js";
import { MemoryProbe, type MemoryInUse } from "./memory-in-use.js";
import { takeSample, type Sample } from "./samples.js";
import { startSoakSite, type SoakSite } from "./soak-site.js";
import { describeSoak, problemsOf, writeSoak, type Soak } from "./soak-report.js";

const readers = fileURLToPath(new URL("readers.ts", import.meta.url));
const INTERVAL_S = 10;
/** Intervals at full speed: the first warm up. */
const WARM_UP = 3;
const MEASURED = 3;
/** After the load: caches expire, connections close. */
const REST_MS = 75_000;
const MB = 1_048_576;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    connections: { type: "string", default: "1000" },
    share: { type: "string", default: "0.7" },
    write: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const probe = new MemoryProbe();
  const site = await startSoakSite({ command: probe.command });
  try {
    const soak = await run(site, probe);
    console.log(describeSoak(soak));
    for (const problem of problemsOf(soak)) console.log(`failed: ${problem}`);
    if (values.write) await writeSoak(soak);
    process.exitCode = problemsOf(soak).length === 0 ? 0 : 1;
  } finally {
    await site.stop();
    probe.remove();
  }
}

async function run(site: SoakSite, probe: MemoryProbe): Promise<Soak> {
  const before = takeSample(site.pid, site.root);
  const connections = Number(values.connections);
  const visitors = fork(readers, { execArgv: ["--import=tsx", "--conditions=source"] });
  const editor = new Editor(site.url);
  try {
    await editor.start();
    visitors.send({ url: site.url, bareUrl: site.bareUrl, connections, rate: null });
    const capacity = await measureCapacity(visitors);
    const rate = capacity * Number(values.share);
    visitors.send({ rate });
    const ticks = await watch(site, { visitors, probe });
    const delivered = site.delivered();
    const saves = editor.counts.get("save 200") ?? 0;
    await editor.stop();
    visitors.kill("SIGKILL");
    await delay(REST_MS);
    const after = takeSample(site.pid, site.root);
    return {
      connections,
      capacity,
      rate,
      before,
      after,
      ticks,
      saves,
      delivered,
      edits: Object.fromEntries(editor.counts),
    };
  } finally {
    visitors.kill("SIGKILL");
  }
}

/** Requests per second that the machine serves while it also makes them. */
async function measureCapacity(visitors: ChildProcess): Promise<number> {
  let requests = 0;
  for (let at = 0; at < WARM_UP + MEASURED; at += 1) {
    const interval = await nextInterval(visitors);
    if (at >= WARM_UP) requests += interval.requests;
  }
  const capacity = requests / (MEASURED * INTERVAL_S);
  console.error(`capacity: ${capacity.toFixed(0)} requests/s`);
  return capacity;
}

async function watch(
  site: SoakSite,
  { visitors, probe }: { visitors: ChildProcess; probe: MemoryProbe },
): Promise<Tick[]> {
  const ticks: Tick[] = [];
  const count = (Number(values.minutes) * 60) / INTERVAL_S;
  // The queue that built up at full speed empties.
  await nextInterval(visitors);
  let last: Sample = takeSample(site.pid, site.root);
  for (let at = 0; at < count; at += 1) {
    const interval = await nextInterval(visitors);
    const sample = takeSample(site.pid, site.root);
    const cores = (sample.cpuSeconds - last.cpuSeconds) / INTERVAL_S;
    last = sample;
    const inUse = inUseOf(probe.collections(site.pid));
    ticks.push({ ...interval, ...sample, cores, inUse });
    console.error(progress(at, { interval, sample, cores }), inUse.map(Math.round).join(" "));
  }
  return ticks;
}

/** In MB: what JavaScript reached after each collection, buffers included. */
function inUseOf(collections: readonly MemoryInUse[]): number[] {
  return collections.map(({ heapUsed, external }) => (heapUsed + external) / MB);
}

function progress(
  at: number,
  { interval, sample, cores }: { interval: Interval; sample: Sample; cores: number },
): string {
  const { requests, errors, p99, bareP99, failed } = interval;
  const values = [
    `${(((at + 1) * INTERVAL_S) / 60).toFixed(1)} min`,
    `${(requests / INTERVAL_S).toFixed(0)}/s`,
    `p99 ${p99.toFixed(0)} ms (bare ${bareP99.toFixed(0)})`,
    `${sample.megabytes.toFixed(0)} MB, ${sample.descriptors} descriptors, ${cores.toFixed(2)} cores`,
    `${errors} errors ${failed.join(", ")}`,
  ];
  return values.join("  ");
}

async function nextInterval(visitors: ChildProcess): Promise<Interval> {
  const [message] = (await once(visitors, "message")) as unknown[];
  return intervalShape.parse(message);
}

await main();
