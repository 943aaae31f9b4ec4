import { Worker } from "node:worker_threads";

const HEAP_LIMIT_MB = 512;

/** Starts the render worker, without the environment of the process: it needs no secrets. */
export function startWorker(): Worker {
  const isSource = import.meta.url.endsWith(".ts");
  const url = new URL(`./render-worker.${isSource ? "ts" : "js"}`, import.meta.url);
  return new Worker(url, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    ...(isSource ? { execArgv: ["--import", typescriptLoader()] } : {}),
  });
}

// Loaders of the main thread do not reach workers; the sources run by themselves only in tests.
function typescriptLoader(): string {
  const api = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  return `data:text/javascript,import{register}from${encodeURIComponent(api)};register();`;
}
