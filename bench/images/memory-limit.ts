import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Starts a process with a memory limit. */
export interface MemoryLimit {
  /** The mechanism, for the report. */
  readonly how: string;
  /** Prefix of the command. */
  readonly launcher: readonly string[];
  /** Maximum of charged bytes, including the page cache; null if unknown. */
  peak(): number | null;
  /** Call after the process has ended. */
  end(): void;
}

/** A control group if one can be created, else a limit of private memory. */
export function limitMemory(bytes: number): MemoryLimit {
  return controlGroup(bytes, V2) ?? controlGroup(bytes, V1) ?? dataLimit(bytes);
}

interface Version {
  readonly name: string;
  readonly root: string;
  readonly files: { limit: string; peak: string };
}
const V1: Version = {
  name: "cgroup v1 (memory.limit_in_bytes)",
  root: "/sys/fs/cgroup/memory",
  files: { limit: "memory.limit_in_bytes", peak: "memory.max_usage_in_bytes" },
};
const V2: Version = {
  name: "cgroup v2 (memory.max, no swap)",
  root: "/sys/fs/cgroup",
  files: { limit: "memory.max", peak: "memory.peak" },
};

function controlGroup(bytes: number, { name, root, files }: Version): MemoryLimit | null {
  const folder = join(root, `site-bench-${process.pid}`);
  try {
    // Throws if the controller is missing or not permitted.
    readFileSync(join(root, version2File(root)));
    mkdirSync(folder);
    writeFileSync(join(folder, files.limit), String(bytes));
  } catch {
    return null;
  }
  const enter = `echo $$ > ${join(folder, "cgroup.procs")} && exec "$@"`;
  return {
    how: name,
    launcher: ["sh", "-c", enter, "sh"],
    peak: () => Number(readFileSync(join(folder, files.peak), "utf8")),
    end: () => rmdirSync(folder),
  };
}

function version2File(root: string): string {
  return root === V2.root ? "cgroup.controllers" : "cgroup.procs";
}

function dataLimit(bytes: number): MemoryLimit {
  return {
    how: "RLIMIT_DATA",
    launcher: ["prlimit", `--data=${bytes}`],
    peak: () => null,
    end: () => undefined,
  };
}
