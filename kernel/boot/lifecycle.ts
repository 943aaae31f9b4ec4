/** What plugins ask to be called for while a site starts and closes; `create-site.ts` has the order of a start. */
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../contracts.js";
import type { BootReport } from "./boot-report.js";
import { failureFields } from "./describe-failure.js";
import { PATIENT, withPatience } from "./patience.js";

type Work = () => void | Promise<void>;

/** Deferred work begins once no request has been open for this time, in ms: first pages have the processor. */
const QUIET_MS = 250;
/** Deferred work begins after this time at the latest, in ms: a stream is open for hours. */
const MAX_BUSY_MS = 2_000;
/** Interval between two looks at the open requests, in ms. */
const POLL_MS = 25;

/** Options of `Lifecycle.ready`. */
export interface ReadyOptions {
  /** True: the work for a listening site runs too. */
  isListening: boolean;
  /** Receives the duration of each plugin's work. */
  boot?: BootReport;
  /** Called while a plugin is slow. */
  slow?(plugin: string, seconds: number): void;
  /** Time limit of the work of a plugin, in ms; null or absent: no limit. */
  limitMs?(plugin: string): number | null;
}

/** Callbacks for when the site is ready and when it closes, with their plugin. */
export class Lifecycle {
  readonly #ready: { plugin: string; work: Work }[] = [];
  readonly #listen: { plugin: string; work: Work }[] = [];
  readonly #later: { plugin: string; work: Work }[] = [];
  readonly #checks: { plugin: string; work: Work }[] = [];
  readonly #beforeClose: { plugin: string; work: Work }[] = [];
  readonly #close: { plugin: string; work: Work }[] = [];
  #background: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  onReady(plugin: string, work: Work): void {
    this.#ready.push({ plugin, work });
  }

  onListen(plugin: string, work: Work): void {
    this.#listen.push({ plugin, work });
  }

  afterReady(plugin: string, work: Work): void {
    this.#later.push({ plugin, work });
  }

  onCheck(plugin: string, work: Work): void {
    this.#checks.push({ plugin, work });
  }

  beforeClose(plugin: string, work: Work): void {
    this.#beforeClose.push({ plugin, work });
  }

  onClose(plugin: string, work: Work): void {
    this.#close.push({ plugin, work });
  }

  /**
   * Runs the ready work in plugin order, then the work for a listening site; `failed` decides whether a
   * failure ends the boot.
   */
  async ready(
    failed: (plugin: string, error: unknown) => void,
    options: ReadyOptions,
  ): Promise<void> {
    for (const { plugin, work } of [...this.#ready, ...(options.isListening ? this.#listen : [])]) {
      const say = (seconds: number): void => options.slow?.(plugin, seconds);
      const limitMs = options.limitMs?.(plugin) ?? null;
      const name = `plugin ${JSON.stringify(plugin)}: its work before the site is ready`;
      const patiently = (): unknown => withPatience(work, { ...PATIENT, work: name, say, limitMs });
      try {
        if (options.boot) await options.boot.time("ready", plugin, patiently);
        else await patiently();
      } catch (error) {
        failed(plugin, error);
      }
    }
  }

  /** Runs the checks in plugin order. @throws the error of the first one that fails. */
  async check(): Promise<void> {
    for (const { work } of this.#checks) await work();
  }

  /**
   * Runs work deferred until after startup, sequentially, once the first requests are served; a failure is
   * logged. `isBusy`: a request is open.
   */
  runLater(log: Logger, isBusy: () => boolean = () => false): void {
    this.#background = this.#runLater(log, isBusy);
  }

  async #runLater(log: Logger, isBusy: () => boolean): Promise<void> {
    await this.#quiet(isBusy);
    for (const { plugin, work } of this.#later) {
      // Lets waiting requests run first.
      await nextTurn();
      if (this.#closing.signal.aborted) return;
      try {
        await work();
      } catch (error) {
        log.warn("later.failed", { plugin, ...failureFields(error) });
      }
    }
  }

  async #quiet(isBusy: () => boolean): Promise<void> {
    const { signal } = this.#closing;
    const end = performance.now() + MAX_BUSY_MS;
    let since = performance.now();
    while (!signal.aborted && performance.now() < Math.min(since + QUIET_MS, end)) {
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
      if (isBusy()) since = performance.now();
    }
  }

  /** Runs the work before closing, in plugin order; a failure is logged and the rest still runs. */
  async finish(log: Logger): Promise<void> {
    await this.#runClosing(this.#beforeClose.splice(0), log);
  }

  /** Runs the closing work in reverse order; a failure is logged and the rest still runs. */
  async close(log: Logger): Promise<void> {
    this.#closing.abort();
    await this.#background;
    await this.#runClosing(this.#close.splice(0).reverse(), log);
  }

  async #runClosing(steps: { plugin: string; work: Work }[], log: Logger): Promise<void> {
    for (const { plugin, work } of steps) {
      try {
        await work();
      } catch (error) {
        log.error("close.failed", { plugin, ...failureFields(error) });
      }
    }
  }
}
