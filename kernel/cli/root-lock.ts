import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SiteError } from "../errors.js";

const NAME = "server.pid";

/**
 * Marks `runtime` as that of this process until it exits: two servers on one folder would write over
 * each other. A mark of a process that is gone counts for nothing.
 * @throws ERR_ROOT_LOCKED with the other's process id.
 */
export function lockRoot(runtime: string): void {
  const file = join(runtime, NAME);
  mkdirSync(runtime, { recursive: true });
  if (!claim(file)) {
    const owner = ownerOf(file);
    if (owner !== null && isAlive(owner)) {
      throw new SiteError("ERR_ROOT_LOCKED", `process ${owner} serves this site root already`, {
        fix: `stop it, serve another root, or delete ${NAME} when it is another program`,
      });
    }
    writeFileSync(file, String(process.pid));
  }
  process.once("exit", () => release(file));
}

function claim(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function ownerOf(file: string): number | null {
  const pid = Number(readFileSync(file, "utf8"));
  return Number.isInteger(pid) && pid > 0 && pid !== process.pid ? pid : null;
}

/** Signal 0 asks whether the process is there; without the right to ask it is. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Only the own mark: another process may have taken over a folder that came back. */
function release(file: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === String(process.pid))
    rmSync(file, { force: true });
}
