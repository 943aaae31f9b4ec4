// Loaded into a server: SIGUSR2 puts its clock an hour forward, SIGWINCH 30 s, the next one back; SIGIO makes each
// flush to the disk take 600 ms, the next one no longer.
import fs from "node:fs";
import { open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as delay } from "node:timers/promises";

let offset = 0;
const { now } = Date;
Date.now = () => now() + offset;
globalThis.Date = class extends Date {
  constructor(...parts) {
    if (parts.length === 0) super(Date.now());
    else super(...parts);
  }
};
const jump = (ms) => () => (offset = offset === 0 ? ms : 0);
process.on("SIGUSR2", jump(3_600_000));
process.on("SIGWINCH", jump(30_000));

let flushMs = 0;
process.on("SIGIO", () => (flushMs = flushMs === 0 ? 600 : 0));
const self = await open(new URL(import.meta.url));
const handles = Object.getPrototypeOf(self);
await self.close();
for (const name of ["sync", "datasync"]) {
  const flush = handles[name];
  handles[name] = async function () {
    if (flushMs > 0) await delay(flushMs);
    return flush.call(this);
  };
}
for (const name of ["fsyncSync", "fdatasyncSync"]) {
  const flush = fs[name];
  fs[name] = (fd) => {
    if (flushMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, flushMs);
    flush(fd);
  };
}
for (const name of ["fsync", "fdatasync"]) {
  const flush = fs[name];
  fs[name] = (fd, done) => void setTimeout(() => flush(fd, done), flushMs);
}
syncBuiltinESMExports();
