import PQueue from "p-queue";
import type { Rendered } from "../../contract.js";
import type { RenderJob } from "./render-messages.js";
import type { FindFacts } from "../render-options.js";
import { RenderFailure, RenderThread } from "./render-thread.js";

const IDLE_MS = 30_000;

/**
 * A pool of render threads: started on first use, replaced when one exits, stopped when idle. Not a
 * pool package: a job asks the site for facts while it runs, and its time limit leaves these out.
 */
export class RenderPool {
  readonly #queue: PQueue;
  readonly #threads = new Set<RenderThread>();
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(size: number) {
    this.#queue = new PQueue({ concurrency: size });
    this.#queue.on("idle", () => this.#startIdleTimer());
  }

  /** @throws RenderFailure when the job fails or takes longer than `limitMs`. */
  run(job: RenderJob, findFacts: FindFacts, limitMs: number): Promise<Rendered> {
    clearTimeout(this.#idleTimer);
    return this.#queue.add(() => {
      if (this.#isClosed)
        throw new RenderFailure("ERR_MARKDOWN_RENDER", "the site is closing", true);
      return this.#freeThread().run(job, findFacts, limitMs);
    });
  }

  /** Stops the threads; running jobs fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    await this.#stopThreads();
  }

  #freeThread(): RenderThread {
    for (const thread of this.#threads) {
      if (!thread.isAlive) this.#threads.delete(thread);
      else if (!thread.isBusy) return thread;
    }
    const thread = new RenderThread();
    this.#threads.add(thread);
    return thread;
  }

  #startIdleTimer(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.#stopThreads(), IDLE_MS).unref();
  }

  async #stopThreads(): Promise<void> {
    const threads = [...this.#threads];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}
