// Preloaded into a server and its child processes. After each full collection of V8's own it adds what memory is used
// for to the file `collections-<pid>` of the folder SOAK_MEMORY. On SIGUSR2 it collects garbage itself and writes the same into `usage`;
// with SOAK_SNAPSHOT it also writes a heap snapshot there, with a number. A server whose garbage was collected on
// demand is slower for a long time after: V8 has made its heap small.
import { appendFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { setFlagsFromString, writeHeapSnapshot } from "node:v8";
import { runInNewContext } from "node:vm";

const folder = process.env.SOAK_MEMORY;
const file = join(folder, "usage");
const { pid } = process;
let nth = 0;

new PerformanceObserver((list) => {
  const isFull = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  if (!list.getEntries().some(isFull)) return;
  appendFileSync(join(folder, `collections-${pid}`), `${JSON.stringify(process.memoryUsage())}\n`);
}).observe({ entryTypes: ["gc"] });

process.on("SIGUSR2", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  collect();
  collect();
  if (process.env.SOAK_SNAPSHOT) writeHeapSnapshot(`${file}-${nth}.heapsnapshot`);
  nth += 1;
  // Whole or not at all, for the reader that waits for it.
  writeFileSync(`${file}.part`, JSON.stringify(process.memoryUsage()));
  renameSync(`${file}.part`, file);
});
