import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { type Clock, engineFailureFields, type Logger } from "#kernel";
import { JobError } from "#lib/jobs";
import type { Job, Jobs } from "../jobs/contract.js";
import type { CdnProvider, CdnStatus } from "./contract.js";
import { CdnRefusal } from "./errors.js";

/** The job queue of purges; metrics and the admin API show it under this name. */
const QUEUE = "cdn";
/** Waiting purges are merged into one job. */
const KEY = "purge";
/** Delays after a failed attempt, in ms; the last one repeats. */
const DELAYS_MS = [1_000, 5_000, 25_000, 60_000, 300_000];
const MAX_RETRY_AFTER_MS = 300_000;
/** Above this many addresses, purging everything is cheaper. */
const MAX_PENDING = 10_000;
/** Poll interval for a purge by another process, in ms. */
const POLL_MS = 100;

const purgeSchema = z.object({ everything: z.boolean(), urls: z.array(z.string()) });
/** The payload of a job: everything, or absolute addresses. */
type Purge = z.infer<typeof purgeSchema>;
const NOTHING: Purge = { everything: false, urls: [] };

/** Dependencies of a purger. */
export interface PurgerOptions {
  provider: CdnProvider;
  name: string;
  batchSize: number;
  batchDelayMs: number;
  jobs: Jobs;
  clock: Clock;
  log: Logger;
  /** Called before everything is purged. */
  onEmptying(): void;
  /** Default: 1, 5, 25, 60, then every 300 s. */
  delaysMs?: readonly number[];
}

/** Sends purges to the provider: merges changes into one job and retries it until it succeeds. */
export class Purger {
  readonly #options: PurgerOptions;
  readonly #adding = new Set<Promise<unknown>>();
  readonly #urls = new Set<string>();
  #everything = false;
  #timer: NodeJS.Timeout | null = null;
  /** In the job queue, but not sent yet. */
  #queued: Purge = NOTHING;
  #running: Purge = NOTHING;
  #isEmptying = false;
  #purged = 0;
  #emptied = 0;
  #failures = 0;
  #lastFailure: Error | null = null;
  #lastSuccess: string | null = null;

  constructor(options: PurgerOptions) {
    this.#options = options;
    options.jobs.define<Purge>(QUEUE, {
      payload: purgeSchema,
      delaysMs: options.delaysMs ?? DELAYS_MS,
      repeatsLastDelay: true,
      merge,
      runsUnstored: true,
      finishesOnClose: true,
      run: (job) => this.#run(job),
    });
  }

  add(urls: Iterable<string>): void {
    for (const url of urls) this.#urls.add(url);
    if (this.#urls.size > 0) this.#gather();
  }

  addEverything(): void {
    this.#everything = true;
    this.#gather();
  }

  /** True while `onEmptying` is called. */
  get isEmptying(): boolean {
    return this.#isEmptying;
  }

  status(): CdnStatus {
    const gathered = { everything: this.#everything, urls: [...this.#urls] };
    const { everything, urls } = merge(merge(this.#running, this.#queued), gathered);
    return {
      provider: this.#options.name,
      pending: urls.length,
      everything,
      purged: this.#purged,
      emptied: this.#emptied,
      failures: this.#failures,
      lastError: this.#lastFailure?.message ?? null,
      lastSuccess: this.#lastSuccess,
    };
  }

  /** Sends waiting purges now. @throws the provider's error when an attempt fails. */
  async settled(): Promise<void> {
    this.#release();
    await Promise.all(this.#adding);
    const { jobs } = this.#options;
    if (!(await jobs.claim())) return this.#settledElsewhere();
    await jobs.flush(QUEUE);
    if (this.#lastFailure !== null) throw this.#lastFailure;
  }

  /** Starts delayed purges at shutdown; the job queue waits for them. */
  hurry(): void {
    void this.settled().catch(() => undefined);
  }

  /** Logs the purges left for the next startup. */
  close(): void {
    const { pending, everything } = this.status();
    if (pending > 0 || everything) this.#options.log.warn("cdn.left", { pending, everything });
  }

  #gather(): void {
    if (this.#everything || this.#urls.size >= this.#size) this.#releaseAfter(0);
    else if (this.#timer === null) this.#releaseAfter(this.#options.batchDelayMs);
  }

  /** Waits at least until all changes of this tick are added. */
  #releaseAfter(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#release(), ms);
    this.#timer.unref();
  }

  /** Queues the collected purges as a job. */
  #release(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const purge = merge(NOTHING, { everything: this.#everything, urls: [...this.#urls] });
    if (!purge.everything && purge.urls.length === 0) return;
    this.#everything = false;
    this.#urls.clear();
    const { jobs, log } = this.#options;
    // A purge of everything is already queued.
    if (jobs.isOwner && this.#queued.everything) return;
    this.#queued = merge(this.#queued, purge);
    const adding = jobs
      .add(QUEUE, purge, { key: KEY })
      .catch((error: unknown) => log.error("cdn.not_stored", engineFailureFields(error)))
      .finally(() => this.#adding.delete(adding));
    this.#adding.add(adding);
  }

  get #size(): number {
    return Math.min(this.#options.batchSize, this.#options.provider.most);
  }

  async #run({ payload, signal }: Job<Purge>): Promise<void> {
    // Later additions belong to another job.
    this.#running = payload;
    this.#queued = NOTHING;
    try {
      await Promise.race([this.#send(payload), aborted(signal)]);
      this.#lastFailure = null;
      this.#lastSuccess = new Date(this.#options.clock.now()).toISOString();
    } catch (error) {
      this.#queued = merge(payload, this.#queued);
      throw signal.aborted ? error : this.#failed(error);
    } finally {
      this.#running = NOTHING;
    }
  }

  async #send({ everything, urls }: Purge): Promise<void> {
    const { provider, name, log } = this.#options;
    if (everything) {
      this.#isEmptying = true;
      this.#options.onEmptying();
      this.#isEmptying = false;
      await provider.purgeEverything();
      this.#emptied += 1;
      log.info("cdn.emptied", { provider: name });
      return;
    }
    for (let at = 0; at < urls.length; at += this.#size) {
      const batch = urls.slice(at, at + this.#size);
      await provider.purge(batch);
      this.#purged += batch.length;
      log.debug("cdn.purged", { provider: name, urls: batch.length });
    }
  }

  #failed(error: unknown): JobError {
    const { name, log } = this.#options;
    const failure = error instanceof Error ? error : new Error(String(error));
    this.#failures += 1;
    this.#lastFailure = failure;
    const { pending, everything } = this.status();
    log.warn("cdn.failed", { provider: name, error: failure.message, pending, everything });
    const askedMs = failure instanceof CdnRefusal ? (failure.retryAfterMs ?? 0) : 0;
    const retryAfterMs = Math.min(askedMs, MAX_RETRY_AFTER_MS);
    return new JobError(failure.message, { retryAfterMs, cause: failure });
  }

  /** Waits while another process purges, until no job is left or an attempt fails. */
  async #settledElsewhere(): Promise<void> {
    this.#queued = NOTHING;
    for (;;) {
      const stored = await this.#options.jobs.list({ queue: QUEUE });
      const failed = stored.find(
        ({ state, lastError }) => state !== "running" && lastError !== null,
      );
      if (failed !== undefined) throw new CdnRefusal(failed.lastError ?? "");
      if (stored.length === 0) return;
      await delay(POLL_MS);
    }
  }
}

function merge(one: Purge, other: Purge): Purge {
  const urls = new Set([...one.urls, ...other.urls]);
  const everything = one.everything || other.everything || urls.size > MAX_PENDING;
  return everything ? { everything, urls: [] } : { everything, urls: [...urls] };
}

/** Rejects at shutdown: the job is left for the next startup. */
function aborted(signal: AbortSignal): Promise<never> {
  const stop = (): Error => new Error("the site closed before the provider responded");
  return new Promise((_, reject) => {
    if (signal.aborted) reject(stop());
    else signal.addEventListener("abort", () => reject(stop()), { once: true });
  });
}
