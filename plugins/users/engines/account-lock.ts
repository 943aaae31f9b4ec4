import { join } from "node:path";
import { FileLock } from "#kernel";

/** One writer at a time in a folder of accounts; a wait of too long is ERR_USER_STORE_LOCKED (503). */
export function accountLock(folder: string): FileLock {
  return new FileLock(join(folder, ".lock"), {
    code: "ERR_USER_STORE_LOCKED",
    message: `${JSON.stringify(folder)} is locked by another process`,
    fix: "end the process that holds it",
  });
}
