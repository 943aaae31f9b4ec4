// Preloaded into a server: on SIGUSR2 it collects garbage and writes what memory is used for into the file of
// SOAK_MEMORY; with SOAK_SNAPSHOT it also writes a heap snapshot there, with a number.
import { renameSync, writeFileSync } from "node:fs";
import { setFlagsFromString, writeHeapSnapshot } from "node:v8";
import { runInNewContext } from "node:vm";

const file = process.env.SOAK_MEMORY;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
let nth = 0;

process.on("SIGUSR2", () => {
  collect();
  collect();
  if (process.env.SOAK_SNAPSHOT) writeHeapSnapshot(`${file}-${nth}.heapsnapshot`);
  nth += 1;
  // Whole or not at all, for the reader that waits for it.
  writeFileSync(`${file}.part`, JSON.stringify({ nth, ...process.memoryUsage() }));
  renameSync(`${file}.part`, file);
});
