import { SiteError, type Logger } from "#kernel";
import { StoreGuard } from "#lib/stores";
import { engineFailureFields } from "#kernel/internal";
import { STORE_READ_MS, STORE_WRITE_MS } from "../engine-calls.js";
import type { ImageStore, ProcessedImage, StoreKey } from "../contract.js";

const DOWN = "the store of image variants does not respond";

/** An image store behind the network: an outage costs little time and is logged once. */
export class GuardedStore implements ImageStore {
  readonly #store: () => ImageStore;
  /** Separate: a store may be readable and reject what is written. */
  readonly #guards: { readonly read: StoreGuard; readonly write: StoreGuard };

  constructor(store: () => ImageStore, log: Logger) {
    this.#store = store;
    this.#guards = {
      read: guard(log, "read", STORE_READ_MS),
      write: guard(log, "write", STORE_WRITE_MS),
    };
  }

  /** The problem for the health report while the store is down. */
  get problem(): string | null {
    return this.#guards.read.isDown || this.#guards.write.isDown ? DOWN : null;
  }

  /** @throws ERR_MEDIA_STORE_DOWN, as all methods do. */
  get(key: StoreKey): Promise<ProcessedImage | null> {
    return this.#guards.read.run(async () => this.#store().get(key));
  }

  put(key: StoreKey, image: ProcessedImage): Promise<void> {
    return this.#guards.write.run(async () => this.#store().put(key, image));
  }

  delete(original: string): Promise<void> {
    return this.#guards.write.run(async () => this.#store().delete(original));
  }

  /** Without a time limit, because a bucket may hold very many variants. */
  async clear(): Promise<void> {
    try {
      await this.#store().clear();
    } catch (cause) {
      throw storeDown(cause);
    }
  }
}

/** Logs a failed operation; a store behind a guard has logged its outage. */
export function logStoreFailure(log: Logger, operation: string, error: unknown): void {
  if (error instanceof SiteError && error.code === "ERR_MEDIA_STORE_DOWN") return;

  log.warn("media.store_failed", { operation, ...engineFailureFields(error) });
}

function guard(log: Logger, call: "read" | "write", limitMs: number): StoreGuard {
  return new StoreGuard({
    monotonic: () => performance.now(),
    limitMs: () => limitMs,
    toError: storeDown,
    onChange: ({ isDown, error }) => {
      if (!isDown) return log.info("media.image_store_back", { call });
      const fix =
        "check bucket, credentials and server; images are generated on each node until then";
      return log.error("media.image_store_down", { call, fix, ...engineFailureFields(error) });
    },
  });
}

function storeDown(cause?: unknown): SiteError {
  return new SiteError("ERR_MEDIA_STORE_DOWN", DOWN, {
    status: 503,
    headers: { "Retry-After": "5" },
    fix: "check bucket, credentials and server; the site retries every second",
    ...(cause === undefined ? {} : { cause }),
  });
}
