import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { cacheFolder } from "./cache-folder.js";
import { MissingServiceError } from "./missing-service.js";
import { rebuildPackage } from "./rebuild-package.js";

/**
 * Provides better-sqlite3: its binary comes from the cache folder, else from the package's install
 * script, which downloads or compiles it (half a minute). @throws MissingServiceError.
 */
export async function prepareSqlite(): Promise<void> {
  const folder = packageFolder();
  const binary = join(folder, "build", "Release", "better_sqlite3.node");
  if (existsSync(binary)) return;
  const cached = join(cacheFolder("better-sqlite3"), binaryName(folder));
  if (existsSync(cached)) return place(cached, binary);
  try {
    await rebuildPackage({
      name: "better-sqlite3",
      isBuilt: () => existsSync(binary),
      // Optimising doubles the time, and the tests do not need it.
      env: { CFLAGS: "-O0", CXXFLAGS: "-O0" },
    });
  } catch (cause) {
    const remedy = "install a C++ compiler, make and python3, then `npm rebuild better-sqlite3`";
    throw new MissingServiceError("better-sqlite3", remedy, cause);
  }
  place(binary, cached);
}

function packageFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve("better-sqlite3/package.json"));
  } catch (cause) {
    throw new MissingServiceError("better-sqlite3", "run npm ci", cause);
  }
}

// A binary fits one version of the package, one module ABI and one kind of machine.
function binaryName(folder: string): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const { glibcVersionRuntime }: { glibcVersionRuntime?: string } = reportHeader();
  const parts = [version, process.versions.modules, process.platform, process.arch];
  return [...parts, glibcVersionRuntime ?? "musl"].join("-").concat(".node");
}

function reportHeader(): { glibcVersionRuntime?: string } {
  const report = process.report.getReport();
  return "header" in report && typeof report.header === "object" ? { ...report.header } : {};
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const fresh = `${to}.${process.pid}`;
  copyFileSync(from, fresh);
  renameSync(fresh, to);
}
