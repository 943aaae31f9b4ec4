import { join } from "node:path";
import { packageRoot, runsSources } from "#lib/packages";
import { processEnv } from "../config/env.js";

/** The file of a thread or child process, and Node's options for it. */
export interface WorkerEntry {
  readonly file: string;
  /** Absent: those of this process. */
  readonly execArgv?: string[];
}

/**
 * The entry of a thread or child process; `path` is below the package and has no extension. In a test
 * run, which has built `dist/` (`SITEWRIGHT_DIST=current`), it is compiled even if this process runs
 * sources: a thread that compiles its own takes a second of CPU time to start.
 */
export function workerEntry(path: string): WorkerEntry {
  const compiled = join(packageRoot(), "dist", `${path}.js`);
  if (!runsSources()) return { file: compiled };
  if (processEnv().get("SITEWRIGHT_DIST") === "current") return { file: compiled, execArgv: [] };
  // Threads do not inherit loaders of the main thread; only tests and scripts run sources.
  const api = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  const loader = `data:text/javascript,import{register}from${encodeURIComponent(api)};register();`;
  const execArgv = ["--conditions=source", "--import", loader];
  return { file: join(packageRoot(), `${path}.ts`), execArgv };
}
