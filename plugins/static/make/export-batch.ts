import { setImmediate as nextTurn } from "node:timers/promises";
import type { ExportJob, ExportOutcome, PageExporter } from "./page-exporter.js";
import type { ExportWorker } from "./thread-worker.js";

/** Concurrent pages: while one waits for its Markdown or its file, another is rendered. */
const AT_ONCE = 6;

/** Exports jobs, a few at a time, in any order. */
export async function exportAll(
  exporter: Pick<PageExporter, "export">,
  jobs: readonly ExportJob[],
): Promise<ExportOutcome[]> {
  const outcomes: ExportOutcome[] = [];
  const rest = jobs.values();
  const work = async (): Promise<void> => {
    for (const job of rest) outcomes.push(await exporter.export(job));
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, jobs.length) }, work));
  return outcomes;
}

/**
 * A worker in this thread. Rendering never yields to the event loop: without a pause after each
 * batch, results of other threads would wait until this worker is finished.
 */
export function localWorker(exporter: Pick<PageExporter, "export">): ExportWorker {
  return {
    capacity: 1,
    async export(jobs) {
      const outcomes = await exportAll(exporter, jobs);
      await nextTurn();
      return outcomes;
    },
    close: async () => undefined,
  };
}
