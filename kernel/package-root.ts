import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute folder of the installed package: the nearest one above this file with a package.json. */
export function packageRoot(): string {
  const climb = (folder: string): string =>
    existsSync(join(folder, "package.json")) ? folder : climb(dirname(folder));
  return climb(dirname(fileURLToPath(import.meta.url)));
}

/** The package's own manifest. */
export function readPackage(): { name: string; version: string } {
  const text = readFileSync(join(packageRoot(), "package.json"), "utf8");
  return JSON.parse(text) as { name: string; version: string };
}
