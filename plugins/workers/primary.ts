/** The primary process: runs no site, but the workers that do. */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { z } from "zod";
import type { Logger, WorkerStatus } from "#kernel";
import { LEADER, BEAT_MS } from "./worker-link.js";
import { SiteError } from "#lib/errors";
import type { Hub } from "./hub.js";
import { PrimaryReload } from "./primary-reload.js";
import type { ReloadState } from "./reload-state.js";

/** Failed starts in a row after which the server ends, if no worker is left. */
const MAX_FAILURES = 5;
const BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;
const BYTES_PER_MB = 1_048_576;

const beatShape = z.object({ rss: z.number() });

/** Dependencies of a primary process. */
export interface PrimaryOptions {
  readonly count: number;
  readonly memoryMb: number | null;
  readonly silenceSeconds: number;
  readonly log: Logger;
  readonly hub: Hub;
  /** Ends this process. */
  exit(code: number): void;
  /** Called after each reload of the configuration. */
  reloaded?(state: ReloadState): Promise<void>;
}

/** Keeps a number of workers running. */
export class Primary {
  readonly #options: PrimaryOptions;
  readonly #workers = new Map<number, WorkerProcess>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #failures = 0;
  #isStopping = false;
  /** Replacements run one at a time. */
  #replacing: Promise<boolean> = Promise.resolve(true);
  readonly #recycled = new Set<number>();
  readonly #reload: PrimaryReload;

  constructor(options: PrimaryOptions) {
    this.#options = options;
    const { hub } = options;
    this.#reload = new PrimaryReload(options);
    hub.handle("worker.ready", (texts, id) => {
      this.#reload.ready(id, texts);
      this.#workers.get(id)?.becameReady();
    });
    hub.handle(LEADER, () => hub.leader);
    hub.handle("worker.beat", (input, id) => this.#beat(id, beatShape.parse(input).rss));
  }

  /** The workers that run. */
  get all(): readonly WorkerStatus[] {
    const { leader } = this.#options.hub;
    return [...this.#workers.values()].map((worker) => worker.status(leader));
  }

  /**
   * Starts the first worker alone, which builds what the others then read; resolves when all are ready.
   * Ends this process with the exit code of the first one if that does not start.
   */
  async start(): Promise<void> {
    const first = this.#fork();
    if (!(await first.ready)) return this.#options.exit(first.process.process.exitCode ?? 1);
    const others = Array.from({ length: this.#options.count - 1 }, () => this.#fork());
    this.#watch();
    await Promise.all(others.map(({ ready }) => ready));
  }

  /**
   * Replaces all workers one after the other, so that they read files and configuration again. The first
   * new one checks the site before it serves; when that fails, all workers stay.
   */
  restart(): void {
    this.#options.log.info("workers.restarting");
    // A reload that failed does not keep the next one from trying.
    this.#replacing = this.#replacing.then(() => true);
    const replaced = this.all.map(({ id }) => this.#recycle(id, "restart"));
    void Promise.all(replaced).then(async (done) => {
      if (!this.#isStopping) await this.#reload.ended(!done.includes(false));
    });
  }

  /** Stops all workers gracefully; a second call ends them. */
  async stop(): Promise<void> {
    if (this.#isStopping) {
      for (const worker of this.#workers.values()) worker.kill();
      return;
    }
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
    this.#options.exit(0);
  }

  #fork(): WorkerProcess {
    const { hub } = this.#options;
    const process: Worker = cluster.fork();
    const worker = new WorkerProcess(process);
    closeUntaken(process);
    const { id } = worker;
    this.#workers.set(id, worker);
    const send = (packet: object, failed: () => void): void => {
      if (process.isConnected()) process.send(packet, (error) => error && failed());
      else failed();
    };
    process.on("message", hub.add(id, { send }));
    // An error of the channel is followed by the end of the worker.
    process.on("error", () => undefined);
    void worker.ready.then((isReady) => {
      if (!isReady) return;
      hub.ready(id);
      void this.#reload.joined(id);
    });
    process.once("exit", (code, signal) => this.#ended(worker, { code, signal }));
    return worker;
  }

  #ended(worker: WorkerProcess, how: { code: number | null; signal: string | null }): void {
    const { hub, log } = this.#options;
    const { id, state, readyAt, isStable } = worker;
    const isFirstStart = readyAt === null && id === 1;
    this.#workers.delete(id);
    hub.remove(id);
    if (this.#isStopping || state === "stopping" || isFirstStart) return;
    log.error("workers.ended", { worker: id, ...how });
    this.#failures = isStable ? 0 : this.#failures + 1;
    // The worker that it was to replace runs on.
    if (!this.#recycled.has(id)) this.#replace();
  }

  /** Starts another worker, later after each failed start. */
  #replace(): void {
    const failures = this.#failures;
    if (failures >= MAX_FAILURES && this.#workers.size === 0) return this.#giveUp();
    const wait = failures === 0 ? 0 : Math.min(BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
    this.#later(wait, () => this.#fork());
  }

  #giveUp(): void {
    const { log, exit } = this.#options;
    const { code, message } = new SiteError(
      "ERR_WORKERS_START",
      `workers ended ${this.#failures} times in a row right after their start`,
    );
    log.error("workers.given_up", { code, error: message, fix: "see the errors above" });
    exit(1);
  }

  #later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }

  #beat(id: number, rss: number): readonly WorkerStatus[] {
    const worker = this.#workers.get(id);
    if (worker === undefined) return this.all;
    worker.seenAt = performance.now();
    worker.rss = rss;
    const { memoryMb } = this.#options;
    const isLarge = memoryMb !== null && rss > memoryMb * BYTES_PER_MB;
    // A worker that is too large from the start is not replaced without a pause.
    if (isLarge && worker.isStable) void this.#recycle(id, "memory");
    return this.all;
  }

  /** Starts another worker, then lets this one finish its requests. Keeps it if the other does not start. */
  #recycle(id: number, reason: "memory" | "restart"): Promise<boolean> {
    if (this.#recycled.has(id)) return Promise.resolve(true);
    this.#recycled.add(id);
    const { log } = this.#options;
    const replacing = this.#replacing.then(async (isFine) => {
      const worker = this.#workers.get(id);
      if (worker === undefined || this.#isStopping) return true;
      // The check of the first new worker holds for all.
      if (!isFine && reason === "restart") {
        this.#recycled.delete(id);
        return false;
      }
      const next = this.#fork();
      if (reason === "restart") this.#reload.checks(next.id);
      this.#recycled.add(next.id);
      const isReady = await next.ready;
      this.#recycled.delete(next.id);
      this.#recycled.delete(id);
      if (!isReady || this.#isStopping) {
        log.error("workers.not_replaced", { worker: id, reason });
        return this.#isStopping;
      }
      log.info("workers.replaced", { worker: id, by: next.id, reason });
      await worker.stop();
      return true;
    });
    this.#replacing = replacing;
    return replacing;
  }

  /** Ends workers whose event loop is blocked. */
  #watch(): void {
    let tickedAt = performance.now();
    setInterval(() => {
      const now = performance.now();
      // After a pause of this process, or of the machine, no heartbeat could arrive.
      const hasSlept = now - tickedAt > 2 * BEAT_MS;
      tickedAt = now;
      for (const worker of this.#workers.values()) {
        if (hasSlept) worker.seenAt = now;
        if (worker.state === "ready") this.#endSilent(worker, now);
      }
    }, BEAT_MS).unref();
  }

  #endSilent(worker: WorkerProcess, now: number): void {
    const { log, silenceSeconds } = this.#options;
    const silentMs = now - worker.seenAt;
    if (silentMs < silenceSeconds * 1_000) return;
    log.error("workers.blocked", { worker: worker.id, seconds: Math.round(silentMs / 1_000) });
    worker.kill();
  }
}

/** Node hands each connection to a worker by such a message, and waits for its `ack`. */
const handedShape = z.object({ act: z.literal("newconn"), seq: z.number() });
const takenShape = z.object({ ack: z.number() });
const closable = z.custom<{ close(): void }>(
  (handle) => typeof Object(handle).close === "function",
);

/**
 * Closes the connections that were handed to a worker, and that it had not taken when it ended. Node leaves them
 * open: their clients would wait for ever.
 */
function closeUntaken(worker: Worker): void {
  const { process: child } = worker;
  const untaken = new Map<number, { close(): void }>();
  const { send } = child;
  child.send = (...args: unknown[]): boolean => {
    const [message, handle] = args;
    const handed = handle === undefined ? undefined : handedShape.safeParse(message).data;
    if (handed !== undefined) untaken.set(handed.seq, closable.parse(handle));
    const isSent: unknown = Reflect.apply(send, child, args);
    return isSent === true;
  };
  child.on("internalMessage", (message: unknown) => {
    const taken = untaken.size === 0 ? undefined : takenShape.safeParse(message).data;
    if (taken !== undefined) untaken.delete(taken.ack);
  });
  worker.once("exit", () => {
    for (const handle of untaken.values()) handle.close();
    untaken.clear();
  });
}

/** Time that a worker has to stop, beyond that for open requests, in ms. */
const STOP_MS = 45_000;

/** A worker that has run for less since it was ready may fail again at once, in ms. */
const STABLE_MS = 5_000;

/** One process. */
class WorkerProcess {
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

  /** Reports the worker to health and metrics. */
  status(leader: number | null): WorkerStatus {
    const { id, since, state, rss } = this;
    const pid = this.process.process.pid ?? 0;
    return { id, pid, since, state, isLeader: id === leader, rss };
  }
}
