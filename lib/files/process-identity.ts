import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { errorCode } from "#lib/errors";

/** Identifies one process uniquely: a process id is reused after its process ends. */
export const processShape = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  /** Changes with each boot of the machine; null where the system has no such id. */
  boot: z.string().nullable(),
  /** Containers number their processes from 1; null where there are none. */
  namespace: z.string().nullable(),
  /** Start time of the process, in clock ticks since boot; null when unknown. */
  started: z.string().nullable(),
});
/** A process of a machine, told from a later one with the same number. */
export type ProcessIdentity = z.infer<typeof processShape>;

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  const { pid } = process;
  const boot = readOrNull("/proc/sys/kernel/random/boot_id");
  return { pid, host: hostname(), boot, namespace: ownNamespace(), started: startOf(pid) };
}

/**
 * Whether a process still runs; null when unknown: it belongs to another machine or container.
 */
export function isAlive(other: ProcessIdentity): boolean | null {
  const own = ownIdentity();
  const isSamePlace =
    own.boot === null
      ? other.boot === null && own.host === other.host
      : own.boot === other.boot && own.namespace === other.namespace;
  if (!isSamePlace) return null;
  if (other.started === null)
    return other.pid === own.pid || isAnotherRunning(other.pid) ? null : false;
  return startOf(other.pid) === other.started;
}

/** True when another process of this machine has this id. */
export function isAnotherRunning(pid: number): boolean {
  // A restarted process, as in a container, may have the same id as before.
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    // Signal 0 only checks.
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists, but may not be signalled.
    return errorCode(error) === "EPERM";
  }
}

/** Field 22 of `/proc/{pid}/stat`; field 2, the name, may contain spaces and brackets. */
function startOf(pid: number): string | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function ownNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return null;
  }
}
