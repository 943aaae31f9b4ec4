/** Actions of incoming webhooks. */
import { setTimeout as delay } from "node:timers/promises";
import type { SiteContext } from "#kernel";
import type { IncomingAction } from "./contract.js";

/** Runs one action; a rebuild continues in the background. */
export type RunAction = (action: IncomingAction) => Promise<void>;

/** The actions of a site. */
export function createActions(site: SiteContext): RunAction {
  const gate = new RebuildGate(() => rebuild(site), site.lifecycle.signal);
  return async (action) => {
    if (action === "purge-cache") {
      site.use("cache", { optional: true })?.clear();
      await site.use("media", { optional: true })?.purge();
      return;
    }
    gate.ask().catch((error: unknown) => {
      site.log.error("webhooks.rebuild_failed", { error: String(error) });
    });
  };
}

/** Logs a failure, so that a following rebuild still runs. */
async function rebuild(site: SiteContext): Promise<void> {
  try {
    await site.use("content").rebuild();
    site.log.info("webhook.rebuilt");
  } catch (error) {
    site.log.error("webhooks.rebuild_failed", { error: String(error) });
  }
}

const PAUSE_MS = 1_000;

/** Merges requests during a rebuild, or within a second of its start, into one rebuild. */
export class RebuildGate {
  readonly #rebuild: () => Promise<void>;
  readonly #signal: AbortSignal;
  #isBusy = false;
  #isAskedAgain = false;

  constructor(rebuild: () => Promise<void>, signal: AbortSignal) {
    this.#rebuild = rebuild;
    this.#signal = signal;
  }

  /** Requests a rebuild that starts after this call; resolves when no rebuild is left. */
  async ask(): Promise<void> {
    if (this.#isBusy) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isBusy = true;
    try {
      do {
        this.#isAskedAgain = false;
        const pause = delay(PAUSE_MS, undefined, { signal: this.#signal, ref: false }).catch(
          () => undefined,
        );
        await this.#rebuild();
        await pause;
      } while (this.#isAskedAgain && !this.#signal.aborted);
    } finally {
      this.#isBusy = false;
    }
  }
}
