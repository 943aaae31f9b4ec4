import { readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** CPU time of this process and, on Linux, of its child processes that have ended, in seconds. */
export function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childSeconds();
}

function childSeconds() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // Fields 16 and 17 of proc(5); the name in field 2 may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  } catch {
    return 0;
  }
}
