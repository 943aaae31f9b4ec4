import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type SiteContext, type SiteRecipe, workerEntry } from "#kernel";
import type { BaseAddress } from "../plan/addresses.js";
import { staticError } from "../errors.js";
import {
  type FailureLog,
  PageExporter,
  type ExportJob,
  type ExportOutcome,
} from "./page-exporter.js";

/** Number of jobs per thread above which booting the site again pays off. */
const WORTH_THREADS = 600;

/** Inputs of workers. */
interface WorkerOptions {
  siteAddress: BaseAddress;
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
  const { siteAddress, stage, searchHeads, showsDrafts, failures, concurrency } = options;
  const client = site.use("static");
  const here = { client, siteAddress, stage, name: "page", failures, searchHeads };
  const threads = jobs < WORTH_THREADS ? 0 : concurrency - 1;
  return [
    localWorker(new PageExporter(here)),
    ...Array.from(
      { length: threads },
      (_, at) =>
        new ThreadWorker({
          recipe: site.runtime.recipe,
          siteAddress,
          stage,
          searchHeads,
          showsDrafts,
          name: `page-${at}`,
        }),
    ),
  ];
}

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

/** A worker that exports pages, in this thread or another one. */
export interface ExportWorker {
  /** Maximum number of concurrent calls of `export`. */
  readonly capacity: number;
  export(jobs: readonly ExportJob[]): Promise<ExportOutcome[]>;
  close(): Promise<void>;
}
/** Options of a thread. */
export interface WorkerInput {
  recipe: SiteRecipe;
  siteAddress: BaseAddress;
  stage: string;
  name: string;
  searchHeads: ReadonlyMap<string, string>;
  showsDrafts: boolean;
}
/** Messages to and from a thread. */
export type ToWorker = { jobs: readonly ExportJob[] } | "close";
export type FromWorker =
  { outcomes: ExportOutcome[] } | { failed: string; code: string | null } | "closed";

interface Waiting {
  resolve(message: FromWorker): void;
  reject(error: Error): void;
}

/**
 * A thread with its own instance of the site. Not a pool package: each thread boots a site before its
 * first job and closes it after its last one, and a thread that fails ends the export.
 */
export class ThreadWorker implements ExportWorker {
  // Queue the next jobs in advance, because the main thread may be busy.
  readonly capacity = 2;
  readonly #worker: Worker;
  /** Responses arrive in the order of the requests. */
  readonly #waiting: Waiting[] = [];
  #ended: Error | null = null;

  constructor(data: WorkerInput) {
    const { file, ...options } = workerEntry("plugins/static/make/export-worker");
    this.#worker = new Worker(file, { ...options, workerData: data });
    this.#worker.on("message", (message: FromWorker) => this.#waiting.shift()?.resolve(message));
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", (code) => this.#end(new Error(`it ended with code ${code}`)));
  }

  async export(jobs: readonly ExportJob[]): Promise<ExportOutcome[]> {
    const message = await this.#ask({ jobs });
    if (message !== "closed" && "outcomes" in message) return message.outcomes;
    const { failed, code } = message === "closed" ? { failed: "closed", code: null } : message;
    throw Object.assign(new Error(failed), code === null ? {} : { code });
  }

  async close(): Promise<void> {
    if (this.#ended === null) await this.#ask("close").catch(() => undefined);
    await this.#worker.terminate();
  }

  #ask(message: ToWorker): Promise<FromWorker> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(message);
    });
  }

  #end(cause: Error): void {
    this.#ended ??= staticError(
      "ERR_STATIC_THREAD",
      `a thread of the export failed: ${cause.message}`,
      {
        cause,
      },
    );
    const ended = this.#ended;
    for (const { reject } of this.#waiting.splice(0)) reject(ended);
  }
}
