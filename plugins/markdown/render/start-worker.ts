import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { runningFile, runsSources } from "#kernel/internal";

const HEAP_LIMIT_MB = 512;

/** Starts the render worker without the process environment: it needs no secrets. */
export function startWorker(): Worker {
  const isSource = runsSources();
  const file = runningFile(`plugins/markdown/render/render-worker.${isSource ? "ts" : "js"}`);
  return new Worker(pathToFileURL(file), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    ...(isSource ? { execArgv: ["--import", typescriptLoader()] } : {}),
  });
}

// Loaders of the main thread do not reach workers; only tests run TypeScript sources directly.
function typescriptLoader(): string {
  const api = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  return `data:text/javascript,import{register}from${encodeURIComponent(api)};register();`;
}
