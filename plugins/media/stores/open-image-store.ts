import { resolve } from "node:path";
import type { EngineSlot, SiteContext } from "#kernel";
import type { ImageStore } from "../contract.js";
import { imageStoreCalls, imageStoreProblem } from "../engine-calls.js";
import { FilesystemStore } from "../engines/filesystem-store.js";
import { S3Store } from "../engines/s3-store.js";
import { GuardedStore } from "./guarded-store.js";
import { bucketOptions, noCredentials } from "./open-bucket.js";

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
  site.use("health", { optional: true })?.addCheck("image-store", () => guarded.problem);
  // Files are local: their errors are logged one by one, and a slow disk is no outage.
  return { slot, store: () => (slot.activeName === "filesystem" ? slot.active : guarded) };
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
