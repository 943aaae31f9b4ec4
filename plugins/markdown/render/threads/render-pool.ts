import { Worker } from "node:worker_threads";
import PQueue from "p-queue";
import { workerEntry } from "#kernel";
import type { Rendered } from "../../contract.js";
import type { FindFacts, RenderJob, FromThread, ToThread } from "../render-job.js";
import { threadTimeMs, timeLeft } from "./thread-time.js";

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

/** Time limit of a parsed body with code: grammars are slow, most of all when they are first used. */
const HIGHLIGHT_LIMIT_MS = 10_000;

/** Why a body has no HTML: it took too long, or the renderer failed. */
export class RenderFailure extends Error {
  readonly code: "ERR_MARKDOWN_TIMEOUT" | "ERR_MARKDOWN_RENDER";
  /** True when the machine was too busy or the thread was stopped: the next attempt may succeed. */
  readonly isPassing: boolean;

  constructor(code: RenderFailure["code"], message: string, isPassing = false) {
    super(message);
    this.code = code;
    this.isPassing = isPassing;
  }
}

interface Running {
  findFacts: FindFacts;
  limitMs: number;
  timer: NodeJS.Timeout | undefined;
  resolve(rendered: Rendered): void;
  reject(failure: Error): void;
}

/** A worker that renders one job at a time; it is stopped by the first job over its time limit. */
class RenderThread {
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #running: Running | null = null;
  #isAlive = true;
  #number: number | null = null;

  constructor() {
    this.#worker = startWorker();
    this.#worker.unref();
    this.#ready = new Promise((resolve) => this.#worker.once("message", () => resolve()));
    this.#worker.on("message", (message: FromThread) => this.#receive(message));
    this.#worker.on("error", (error) =>
      this.#end(new RenderFailure("ERR_MARKDOWN_RENDER", error.message)),
    );
    this.#worker.on("exit", () => this.#end(ended()));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get isBusy(): boolean {
    return this.#running !== null;
  }

  /**
   * The limit applies to the processor time of the thread's work, not to resolving facts.
   * @throws RenderFailure.
   */
  run(job: RenderJob, findFacts: FindFacts, limitMs: number): Promise<Rendered> {
    if (!this.#isAlive) return Promise.reject(ended());
    this.#worker.ref();
    const result = new Promise<Rendered>((resolve, reject) => {
      this.#running = { findFacts, limitMs, timer: undefined, resolve, reject };
    });
    void this.#ready.then(() => this.#post({ type: "job", job }));
    return result;
  }

  async terminate(): Promise<void> {
    this.#end(ended());
    await this.#worker.terminate();
  }

  #post(message: ToThread): void {
    const running = this.#running;
    if (running === null || !this.#isAlive) return;
    this.#limit(running);
    this.#worker.postMessage(message);
  }

  #limit(running: Running): void {
    const { limitMs } = running;
    const [startedAt, before] = [performance.now(), threadTimeMs(this.#number)];
    const look = (): void => {
      const processorMs = threadTimeMs(this.#number) - before;
      const left = timeLeft({ limitMs, processorMs, passedMs: performance.now() - startedAt });
      if (typeof left === "string") return this.#overrun(limitMs, left === "busy");
      running.timer = setTimeout(look, left);
    };
    running.timer = setTimeout(look, limitMs);
  }

  #receive(message: FromThread): void {
    const running = this.#running;
    if (message.type === "ready") this.#number = message.thread;
    if (running === null || message.type === "ready") return;
    clearTimeout(running.timer);
    if (message.type === "highlighting") {
      running.limitMs = Math.max(running.limitMs, HIGHLIGHT_LIMIT_MS);
      return this.#limit(running);
    }
    if (message.type === "references") {
      running.findFacts(message.references).then(
        (facts) => this.#post({ type: "facts", facts }),
        (error: unknown) => this.#abandon(running, error),
      );
      return;
    }
    this.#settle();
    if (message.type === "done") running.resolve(message.rendered);
    else running.reject(new RenderFailure("ERR_MARKDOWN_RENDER", message.message));
  }

  // The thread still has the body whose facts it requested; the next job replaces it.
  #abandon(running: Running, error: unknown): void {
    this.#settle();
    running.reject(error instanceof Error ? error : new Error(String(error)));
  }

  #overrun(limitMs: number, isPassing: boolean): void {
    const message = isPassing
      ? `the machine is too busy: rendering got less than ${limitMs} ms of processor time`
      : `rendering took longer than ${limitMs} ms`;
    this.#end(new RenderFailure("ERR_MARKDOWN_TIMEOUT", message, isPassing));
    void this.#worker.terminate();
  }

  #end(failure: RenderFailure): void {
    this.#isAlive = false;
    const running = this.#running;
    if (running === null) return;
    clearTimeout(running.timer);
    this.#settle();
    running.reject(failure);
  }

  #settle(): void {
    this.#running = null;
    this.#worker.unref();
  }
}

function ended(): RenderFailure {
  return new RenderFailure("ERR_MARKDOWN_RENDER", "the render thread has ended", true);
}

const HEAP_LIMIT_MB = 512;

/** Starts the render worker without the process environment: it needs no secrets. */
function startWorker(): Worker {
  const { file, ...options } = workerEntry("plugins/markdown/render/threads/render-worker");
  return new Worker(file, {
    ...options,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
  });
}
