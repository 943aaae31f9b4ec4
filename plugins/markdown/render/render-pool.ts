import type { Rendered } from "../contract.js";
import type { RenderJob } from "./render-messages.js";
import type { FindFacts } from "./render-options.js";
import { RenderFailure, RenderThread } from "./render-thread.js";

const IDLE_MS = 30_000;

interface Waiting {
  start(thread: RenderThread): void;
}

/** A pool of render threads: started on first use, replaced when one exits, stopped when idle. */
export class RenderPool {
  readonly #size: number;
  readonly #threads = new Set<RenderThread>();
  readonly #waiting: Waiting[] = [];
  #idleTimer: NodeJS.Timeout | undefined;
  // A thread is reserved from the moment it is assigned, before its job starts.
  readonly #taken = new Set<RenderThread>();
  #isClosed = false;

  constructor(size: number) {
    this.#size = size;
  }

  /** @throws RenderFailure when the job fails or takes longer than `limitMs`. */
  async run(job: RenderJob, findFacts: FindFacts, limitMs: number): Promise<Rendered> {
    if (this.#isClosed) throw new RenderFailure("ERR_MARKDOWN_RENDER", "the site is closing");
    clearTimeout(this.#idleTimer);
    const thread = await this.#acquire();
    try {
      return await thread.run(job, findFacts, limitMs);
    } finally {
      this.#release(thread);
    }
  }

  /** Stops the threads; running jobs fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    await this.#stopThreads();
  }

  #acquire(): RenderThread | Promise<RenderThread> {
    for (const thread of this.#threads) {
      if (this.#taken.has(thread)) continue;
      if (thread.isAlive) return this.#take(thread);
      this.#threads.delete(thread);
    }
    if (this.#threads.size < this.#size) return this.#take(this.#start());
    return new Promise((resolve) => this.#waiting.push({ start: resolve }));
  }

  #take(thread: RenderThread): RenderThread {
    this.#taken.add(thread);
    return thread;
  }

  #start(): RenderThread {
    const thread = new RenderThread();
    this.#threads.add(thread);
    return thread;
  }

  #release(thread: RenderThread): void {
    this.#taken.delete(thread);
    if (!thread.isAlive) this.#threads.delete(thread);
    const next = this.#waiting.shift();
    if (next !== undefined) {
      const isUsable = thread.isAlive || this.#isClosed;
      next.start(this.#take(isUsable ? thread : this.#start()));
      return;
    }
    if (this.#taken.size === 0 && !this.#isClosed) {
      this.#idleTimer = setTimeout(() => void this.#stopThreads(), IDLE_MS).unref();
    }
  }

  async #stopThreads(): Promise<void> {
    const threads = [...this.#threads];
    this.#threads.clear();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}
