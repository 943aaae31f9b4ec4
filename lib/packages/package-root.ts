import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute folder of the installed package: the nearest one above this file with a package.json. */
export function packageRoot(): string {
  const climb = (folder: string): string =>
    existsSync(join(folder, "package.json")) ? folder : climb(dirname(folder));
  return climb(dirname(fileURLToPath(import.meta.url)));
}

/** True when TypeScript runs directly (tests, development), false for compiled code. */
export function runsSources(): boolean {
  return import.meta.url.endsWith(".ts");
}

/**
 * Absolute path of a file of the running code: below the package, or below `dist/` once compiled. A
 * bundled module cannot find its neighbours by its own URL.
 */
export function runningFile(path: string): string {
  return join(packageRoot(), runsSources() ? "" : "dist", path);
}

/** The package's own manifest. */
export function readPackage(): { name: string; version: string; engines: { node: string } } {
  const text = readFileSync(join(packageRoot(), "package.json"), "utf8");
  return JSON.parse(text) as { name: string; version: string; engines: { node: string } };
}
