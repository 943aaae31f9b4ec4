import { resolve } from "node:path";
import { SiteError, type EngineSlot, type SiteContext } from "#kernel";
import type { ImageStore } from "./contract.js";
import { FilesystemStore } from "./engines/filesystem-store.js";
import { S3Store } from "./engines/s3-store.js";
import { GuardedStore } from "./guarded-store.js";

/** The slot, and the store that the site uses. */
export interface OpenedStore {
  readonly slot: EngineSlot<ImageStore>;
  readonly store: () => ImageStore;
}

/** Opens the slot `imageStore` with the engine of `imageStore.type`. */
export function openImageStore(site: SiteContext): OpenedStore {
  const { cache_dir: cacheDir, cache_max_mb: maxMegabytes } = site.settings.system.images;
  const slot = site.engines.open("imageStore");
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
  const { bucket, region, endpoint, prefix } = site.settings.system.imageStore;
  const accessKeyId = site.runtime.env.get("SITE_S3_ACCESS_KEY_ID");
  const secretAccessKey = site.runtime.env.get("SITE_S3_SECRET_ACCESS_KEY");
  if (bucket === null || accessKeyId === undefined || secretAccessKey === undefined) {
    site.lifecycle.onReady(() => {
      throw noCredentials();
    });
    return;
  }
  const keys = { accessKeyId, secretAccessKey };
  const store = new S3Store({ ...keys, bucket, region, endpoint, prefix: withSlash(prefix) });
  slot.register("s3", store);
  slot.activate("s3");
  site.lifecycle.onClose(() => store.close());
}

function withSlash(prefix: string): string {
  return prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
}

function noCredentials(): SiteError {
  return new SiteError(
    "ERR_MEDIA_S3_CREDENTIALS",
    '`imageStore.type` is "s3" and its credentials are not set',
    { fix: "set SITE_S3_ACCESS_KEY_ID and SITE_S3_SECRET_ACCESS_KEY, or use `type: files`" },
  );
}
