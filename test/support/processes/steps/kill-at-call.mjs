// Loaded into the processes of a server: while the file KILL_AT holds a number, the process that makes so many changes
// of files below KILL_BELOW ends itself, and removes the file first.
import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const { KILL_AT: flag = "", KILL_BELOW: root = "" } = process.env;
const { readFileSync, unlinkSync } = fs;
const names = ["open", "rename", "rm", "rmdir", "mkdir", "link", "unlink", "writeFile", "copyFile"];
let calls = 0;

/** The number of the call at which the process ends; 0: it goes on. */
function limit() {
  try {
    return Number(readFileSync(flag, "utf8"));
  } catch {
    return 0;
  }
}

function count() {
  const last = limit();
  calls = last === 0 ? 0 : calls + 1;
  if (last === 0 || calls < last) return;
  unlinkSync(flag);
  process.kill(process.pid, "SIGKILL");
  // The signal may arrive later than the next call.
  for (;;);
}

function wrap(owner, name, isHandle = false) {
  const real = owner[name];
  if (typeof real !== "function") return;
  owner[name] = function (...args) {
    const isRead = name.startsWith("open") && String(args[1] ?? "r") === "r";
    const isBelow = isHandle || args.slice(0, 2).some((one) => String(one).startsWith(root));
    if (isBelow && !isRead) count();
    return real.apply(this, args);
  };
}

const handle = await promises.open(new URL(import.meta.url));
const prototype = Object.getPrototypeOf(handle);
await handle.close();
for (const name of names) for (const owner of [promises, fs]) wrap(owner, name);
for (const name of names) wrap(fs, `${name}Sync`);
for (const name of ["writeFile", "write"]) wrap(prototype, name, true);
syncBuiltinESMExports();
