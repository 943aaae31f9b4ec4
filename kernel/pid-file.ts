import { readFileSync, writeFileSync } from "node:fs";
import { errorCode } from "./error-code.js";

/**
 * Makes a file say that it is this process's: null; or the number of another process that it belongs
 * to and that runs. What a process left behind that is gone, or that is not a number, counts for nothing.
 */
export function claimPidFile(file: string): number | null {
  const own = String(process.pid);
  try {
    writeFileSync(file, own, { flag: "wx" });
    return null;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  const owner = Number(readFileSync(file, "utf8"));
  if (isAnotherRunning(owner)) return owner;
  writeFileSync(file, own);
  return null;
}

/** True when a process of this machine other than this one has the number. */
export function isAnotherRunning(pid: number): boolean {
  // A process that was started anew, as in a container, may have the number it had before.
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    // Signal 0 only asks.
    return process.kill(pid, 0);
  } catch (error) {
    // What may not be asked is there.
    return errorCode(error) === "EPERM";
  }
}
