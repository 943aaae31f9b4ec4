import { Worker } from "node:worker_threads";
import { workerEntry } from "#kernel/internal";

const HEAP_LIMIT_MB = 512;

/** Starts the render worker without the process environment: it needs no secrets. */
export function startWorker(): Worker {
  const { file, ...options } = workerEntry("plugins/markdown/render/threads/render-worker");
  return new Worker(file, {
    ...options,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
  });
}
