import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** Clock ticks per second of /proc/<pid>/stat on Linux. */
const TICKS = 100;

/** A measured server in a separate process. */
export interface ServerProcess {
  url: string;
  /** User and system time used so far, in µs. */
  cpu(): number;
  /** Resident memory in MB. */
  rss(): number;
  stop(): Promise<void>;
}

/**
 * Starts `node <args>`, behind `launcher`, and waits for the line `listening <port>` on its output.
 */
export async function startServer(
  args: readonly string[],
  env: Record<string, string> = {},
  launcher: readonly string[] = [],
): Promise<ServerProcess> {
  const [command = "", ...rest] = [...launcher, process.execPath, ...args];
  const child = spawn(command, rest, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const port = await readPort(child);
  const pid = child.pid ?? 0;
  return {
    url: `http://127.0.0.1:${port}`,
    cpu: () => cpuOf(pid),
    rss: () => rssOf(pid),
    stop: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

async function readPort(child: ChildProcess): Promise<number> {
  const { stdout } = child;
  if (!stdout) throw new Error("the server has no output");
  let text = "";
  for await (const chunk of stdout) {
    text += String(chunk);
    const port = /listening (\d+)/.exec(text)?.[1];
    if (port === undefined) continue;
    stdout.resume();
    return Number(port);
  }
  throw new Error(`the server ended before it listened: ${text}`);
}

/** User and system time of a process and its running children so far, in µs. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const own = ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1_000_000;
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), own);
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}

/** Resident memory of a process in MB. */
export function rssOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}

/** Memory of a process in MB; what several processes share counts in equal parts. */
export function pssOf(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}

/** Largest resident memory of a process so far, in MB. */
export function peakOf(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes ?? 0) / 1_024;
}
