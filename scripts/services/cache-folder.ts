import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * A folder below the user's cache folder that survives `npm ci`: compiled and unpacked development
 * tools, shared by every checkout on this machine.
 */
export function cacheFolder(...names: string[]): string {
  const base = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const folder = join(base, "site-dev", ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}
