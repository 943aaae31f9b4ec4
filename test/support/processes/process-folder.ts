import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder for all tests of the process, which deletes it when it ends. */
export function processFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
