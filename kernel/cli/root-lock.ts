import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SiteError } from "../errors.js";
import { claimPidFile } from "../pid-file.js";

const NAME = "server.pid";

/**
 * Marks `runtime` as that of this process until it exits: two servers on one folder would write over
 * each other. A mark of a process that is gone counts for nothing.
 * @throws ERR_ROOT_LOCKED with the other's process id.
 */
export function lockRoot(runtime: string): void {
  const file = join(runtime, NAME);
  mkdirSync(runtime, { recursive: true });
  const owner = claimPidFile(file);
  if (owner !== null) {
    throw new SiteError("ERR_ROOT_LOCKED", `process ${owner} serves this site root already`, {
      fix: `stop it, serve another root, or delete ${NAME} when it is another program`,
    });
  }
  process.once("exit", () => release(file));
}

/** Only the own mark: another process may have taken over a folder that came back. */
function release(file: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === String(process.pid))
    rmSync(file, { force: true });
}
