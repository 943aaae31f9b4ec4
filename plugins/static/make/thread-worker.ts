import { Worker } from "node:worker_threads";
import { workerEntry, type SiteRecipe } from "#kernel/internal";
import type { BaseAddress } from "../plan/addresses.js";
import { staticError } from "../errors.js";
import type { ExportJob, ExportOutcome } from "./page-exporter.js";

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
  place: BaseAddress;
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
