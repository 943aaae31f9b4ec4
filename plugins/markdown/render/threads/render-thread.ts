import type { Worker } from "node:worker_threads";
import type { Rendered } from "../../contract.js";
import type { FromThread, RenderJob, ToThread } from "./render-messages.js";
import type { FindFacts } from "../render-options.js";
import { startWorker } from "./start-worker.js";
import { threadTimeMs, timeLeft } from "./thread-time.js";

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
export class RenderThread {
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

  // The thread still has the draft whose facts it requested; the next job replaces it.
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
