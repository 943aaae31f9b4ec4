/** A reload of the configuration in a server with workers. */
import { z } from "zod";
import type { ConfigState, Logger } from "#kernel";
import type { Hub } from "./hub.js";
import { configStateShape, type ReloadState } from "./reload-state.js";

/** The call that tells a worker the result of the last reload. */
export const CONFIG_STATE = "config.state";
/** The call by which a worker that starts gets the configuration of the others; null: that on the disk. */
export const CONFIG_IN_USE = "config.in_use";

/** Configuration files as a worker read them. */
export const textsShape = z.array(z.object({ file: z.string(), text: z.string() })).readonly();

/** Dependencies of a reload. */
export interface PrimaryReloadOptions {
  readonly hub: Hub;
  readonly log: Logger;
  /** Called after each reload. */
  reloaded?(state: ReloadState): Promise<void>;
}

/**
 * Knows which workers are started to check a configuration, and tells all what came of it. Other workers
 * start with the configuration in use: what is on the disk acts with the next reload, and a mistake in it
 * keeps no worker from being replaced.
 */
export class PrimaryReload {
  readonly #options: PrimaryReloadOptions;
  readonly #checked = new Set<number>();
  #problems: ConfigState["problems"] = [];
  #state: ConfigState = { state: "valid", at: null, problems: [] };
  #number = 0;
  /** The configuration of the workers; null before the first one is ready. */
  #inUse: z.output<typeof textsShape> | null = null;

  constructor(options: PrimaryReloadOptions) {
    this.#options = options;
    const { hub } = options;
    hub.handle("worker.isReload", (_input, worker) => this.#checked.has(worker));
    hub.handle(CONFIG_IN_USE, (_input, worker) => (this.#checked.has(worker) ? null : this.#inUse));
    hub.handle("worker.failed", (input) => {
      this.#problems = z.array(configStateShape.shape.problems.element).parse(input);
    });
  }

  /** Call it for a worker that is started to replace one with the old configuration. */
  checks(worker: number): void {
    this.#problems = [];
    this.#checked.add(worker);
  }

  /** Call it with the configuration of a worker that is ready. */
  ready(worker: number, texts: unknown): void {
    if (this.#inUse === null || this.#checked.has(worker)) this.#inUse = textsShape.parse(texts);
  }

  /** Call it when a worker is ready. */
  async joined(worker: number): Promise<void> {
    if (this.#state.at === null) return;
    await this.#options.hub.tell(worker, CONFIG_STATE, this.#state).catch(() => undefined);
  }

  /** Ends a reload: logs the result and tells it to all workers. */
  async ended(isReplaced: boolean): Promise<void> {
    const { hub, log, reloaded } = this.#options;
    const at = new Date().toISOString();
    this.#state = isReplaced
      ? { state: "valid", at, problems: [] }
      : { state: "invalid", at, problems: this.#problems };
    this.#checked.clear();
    this.#number += 1;
    if (isReplaced) log.info("site.reloaded");
    else {
      const fix = "fix the configuration and reload; the workers run on with the one before";
      log.error("site.not_reloaded", { problems: this.#problems, fix });
    }
    const told = hub.workers.map((worker) => hub.tell(worker, CONFIG_STATE, this.#state));
    await Promise.allSettled(told);
    await reloaded?.({ ...this.#state, number: this.#number });
  }
}
