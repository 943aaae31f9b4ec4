// Preloaded into a server: on the message `count` it sends what the process has used since the last one. It only reads:
// the statistics of the garbage collector, and the counters that Linux keeps of each process.
import { readFileSync } from "node:fs";
import v8 from "node:v8";

const profiler = new v8.GCProfiler();
const used = () => process.memoryUsage().heapUsed;

let heap = used();
let read = bytesRead();
profiler.start();

/** Bytes that the process has read from files and connections. */
function bytesRead() {
  return Number(/^rchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

/** Bytes that were allocated on the heap of V8: what it grew between collections. */
function bytesAllocated() {
  let [total, at] = [0, heap];
  for (const { beforeGC, afterGC } of profiler.stop().statistics) {
    total += beforeGC.heapStatistics.usedHeapSize - at;
    at = afterGC.heapStatistics.usedHeapSize;
  }
  heap = used();
  total += heap - at;
  profiler.start();
  return total;
}

process.on("message", (message) => {
  if (message !== "count") return;
  const now = bytesRead();
  process.send({ allocated: bytesAllocated(), read: now - read });
  read = now;
});
// The server ends although this process could still be asked.
process.channel?.unref();
