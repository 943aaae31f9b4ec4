import { resolve } from "node:path";
import {
  engineFailureFields,
  type EngineSlot,
  type Logger,
  type SiteContext,
  SiteError,
} from "#kernel";
import { StoreGuard } from "#lib/stores";
import type { ImageStore, ProcessedImage, StoreKey } from "./contract.js";
import {
  imageStoreCalls,
  imageStoreProblem,
  STORE_READ_MS,
  STORE_WRITE_MS,
} from "./engine-calls.js";
import { FilesystemStore, S3Store } from "./engines/variant-stores.js";
import { bucketOptions, noCredentials } from "./bucket.js";

/** The slot, and the store that the site uses. */
export interface OpenedStore {
  readonly slot: EngineSlot<ImageStore>;
  readonly store: () => ImageStore;
}

/** Opens the slot `imageStore` with the engine of `imageStore.type`. */
export function openImageStore(site: SiteContext): OpenedStore {
  const { cache_dir: cacheDir, cache_max_mb: maxMegabytes } = site.settings.system.images;
  const slot = site.engines.open("imageStore", imageStoreProblem, imageStoreCalls);
  const maxBytes = maxMegabytes * 1024 * 1024;
  slot.register(
    "filesystem",
    new FilesystemStore({ cacheDir: resolve(site.paths.root, cacheDir), maxBytes }),
  );
  slot.activate("filesystem");
  if (site.settings.system.imageStore.type === "s3") useS3(site, slot);
  const guarded = new GuardedStore(() => slot.active, site.log);
  // Files are local: their errors are logged one by one, and a slow disk is no outage.
  const isLocal = (): boolean => slot.activeName === "filesystem";
  site
    .use("health", { optional: true })
    ?.addCheck("image-store", () => (isLocal() ? null : guarded.problem));
  return { slot, store: () => (isLocal() ? slot.active : guarded) };
}

function useS3(site: SiteContext, slot: EngineSlot<ImageStore>): void {
  const options = bucketOptions(site, site.settings.system.imageStore);
  if (options === null) {
    site.lifecycle.onReady(() => {
      throw noCredentials("imageStore");
    });
    return;
  }
  const store = new S3Store(options);
  slot.register("s3", store);
  slot.activate("s3");
  site.lifecycle.onClose(() => store.close());
}

/** The key of no variant. */
const ABSENT: StoreKey = { original: ".none", variant: ".none" };
const DOWN = "the store of image variants does not respond";

/** An image store behind the network: an outage costs little time and is logged once. */
class GuardedStore implements ImageStore {
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

  /** The problem for the health report while the store is down; asks it for a variant that does not exist. */
  get problem(): string | null {
    const { read, write } = this.#guards;
    const isReadDown = read.isDown(async () => this.#store().get(ABSENT));
    const isWriteDown = write.isDown(async () => this.#store().delete(ABSENT.original));
    return isReadDown || isWriteDown ? DOWN : null;
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
