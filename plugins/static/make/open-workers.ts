import type { SiteContext } from "#kernel";
import type { BaseAddress } from "../plan/addresses.js";
import { localWorker } from "./export-batch.js";
import { ThreadWorker, type ExportWorker } from "./thread-worker.js";
import type { FailureLog } from "./failure-log.js";
import { PageExporter } from "./page-exporter.js";

/** Number of jobs per thread above which booting the site again pays off. */
const WORTH_THREADS = 600;

/** Inputs of workers. */
export interface WorkerOptions {
  place: BaseAddress;
  stage: string;
  searchHeads: ReadonlyMap<string, string>;
  showsDrafts: boolean;
  failures: FailureLog;
  concurrency: number;
}

/** Opens as many workers as the work justifies: one here, and a thread for each further one. */
export function openWorkers(
  site: SiteContext,
  jobs: number,
  options: WorkerOptions,
): ExportWorker[] {
  const { place, stage, searchHeads, showsDrafts, failures, concurrency } = options;
  const client = site.use("static");
  const here = { client, place, stage, name: "page", failures, searchHeads };
  const threads = jobs < WORTH_THREADS ? 0 : concurrency - 1;
  return [
    localWorker(new PageExporter(here)),
    ...Array.from(
      { length: threads },
      (_, at) =>
        new ThreadWorker({
          recipe: site.runtime.recipe,
          place,
          stage,
          searchHeads,
          showsDrafts,
          name: `page-${at}`,
        }),
    ),
  ];
}
