import { join } from "node:path";
import { FileLock } from "#kernel/internal";

/**
 * Serialises writers of an accounts folder.
 * @throws ERR_USER_STORE_LOCKED (503) when the wait is too long.
 */
export function accountLock(folder: string): FileLock {
  return new FileLock(join(folder, ".lock"), {
    code: "ERR_USER_STORE_LOCKED",
    message: `${JSON.stringify(folder)} is locked by another process`,
    fix: "end the process that holds the lock",
  });
}
