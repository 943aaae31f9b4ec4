import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A way to start a process that cannot use more memory. */
export interface MemoryLimit {
  /** How it is kept, for the report. */
  readonly how: string;
  /** What stands before the command. */
  readonly launcher: readonly string[];
  /** Most bytes that were charged, page cache included; null where nobody counts. */
  peak(): number | null;
  /** Once the process has ended. */
  end(): void;
}

/** A control group of the kernel where one can be made, else a limit of private memory. */
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
    // Throws where there is no such controller, or where we may not use it.
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
