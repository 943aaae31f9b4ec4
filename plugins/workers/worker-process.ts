/** A worker as the primary process sees it. */
import type { Worker } from "node:cluster";
import { once } from "node:events";
import type { WorkerStatus } from "#kernel";

/** How long a worker may take to stop beyond the time for open requests, in ms. */
const STOP_MS = 45_000;

/** A worker that has run for less since it was ready may fail again at once, in ms. */
const STABLE_MS = 5_000;

/** One process. */
export class WorkerProcess {
  readonly id: number;
  readonly since = new Date().toISOString();
  readonly process: Worker;
  state: WorkerStatus["state"] = "starting";
  rss = 0;
  /** Time of the last heartbeat, in ms of `performance.now()`. */
  seenAt = performance.now();
  /** When it became ready, in ms of `performance.now()`; null before. */
  readyAt: number | null = null;
  readonly ended: Promise<void>;
  #resolveReady: (isReady: boolean) => void = () => undefined;
  /** Resolves with true when it is ready, with false when it has ended before. */
  readonly ready = new Promise<boolean>((resolve) => (this.#resolveReady = resolve));

  constructor(process: Worker) {
    this.id = process.id;
    this.process = process;
    this.ended = once(process, "exit").then(() => this.#resolveReady(false));
  }

  /** True when it has been ready for a while. */
  get isStable(): boolean {
    return this.readyAt !== null && performance.now() - this.readyAt >= STABLE_MS;
  }

  becameReady(): void {
    this.state = "ready";
    this.readyAt = this.seenAt = performance.now();
    this.#resolveReady(true);
  }

  /** Lets it finish open requests; one that does not end in time is killed. */
  async stop(): Promise<void> {
    this.state = "stopping";
    this.process.process.kill("SIGTERM");
    const overdue = setTimeout(() => this.kill(), STOP_MS).unref();
    await this.ended;
    clearTimeout(overdue);
  }

  kill(): void {
    this.process.process.kill("SIGKILL");
  }

  /** For health and metrics. */
  status(leader: number | null): WorkerStatus {
    const { id, since, state, rss } = this;
    const pid = this.process.process.pid ?? 0;
    return { id, pid, since, state, isLeader: id === leader, rss };
  }
}
