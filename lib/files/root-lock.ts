import { join } from "node:path";
import { SiteError } from "#lib/errors";
import { ProcessLock, readHolder, type LockHolder } from "./process-lock.js";

/** Name of the lock file, in the runtime folder. */
export const SERVER_LOCK = "server.lock";

/**
 * Makes this process the only server of `runtime` until it exits: two servers would overwrite each
 * other's files. `onLost` is called when another server has taken over the folder.
 * @throws ERR_ROOT_LOCKED with process, host and start time of the other server.
 */
export function lockRoot(runtime: string, onLost: () => void): Promise<ProcessLock> {
  return ProcessLock.acquire(join(runtime, SERVER_LOCK), { locked, onLost });
}

/** The process that serves `runtime`, whether it still runs or not; null: none does. */
export function rootHolder(runtime: string): LockHolder | null {
  return readHolder(join(runtime, SERVER_LOCK));
}

function locked(holder: LockHolder | null): SiteError {
  const who = holder === null ? "another process" : `process ${holder.pid}`;
  const where =
    holder === null ? "" : ` (on ${JSON.stringify(holder.host)}, since ${holder.since})`;
  return new SiteError("ERR_ROOT_LOCKED", `${who} serves this site root${where}`, {
    fix: "stop it, or serve another root",
  });
}
