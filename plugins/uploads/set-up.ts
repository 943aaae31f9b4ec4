import { join } from "node:path";
import type { SiteContext } from "#kernel";
import { BucketUploads, FolderUploads, UploadStore } from "./upload-store.js";
import type { UploadFiles } from "./contract.js";
import { uploadRoutes } from "./routes.js";

/** Registers what the plugin does in a site that starts. */
export function setUpUploads(site: SiteContext): void {
  const section = site.settings.site.uploads;
  // Without the block there are neither routes nor a folder.
  if (section === undefined) return;
  const files = openFiles(site);
  const store = new UploadStore({ files, maxTotalBytes: section.max_total_mb * MEGABYTE });
  uploadRoutes(site, { section, store, files, maxBytes: section.max_size_mb * MEGABYTE });
  // A worker that replaces another one must not delete what the others receive.
  if (site.runtime.workers.isFirst) site.lifecycle.onListen(() => files.sweep());
  if (section.require_auth && site.settings.site.auth === undefined) {
    site.log.warn("uploads.auth_missing", {
      fix: "add an auth block, or set uploads.require_auth to false",
    });
  }
}

const MEGABYTE = 1_048_576;

/** The files of `uploadStore.type`. */
function openFiles(site: SiteContext): UploadFiles {
  const media = site.use("media");
  const section = site.settings.system.uploadStore;
  if (section.type === "files") {
    return new FolderUploads(join(site.paths.data, "uploads"), media);
  }
  const spool = join(site.paths.runtime, "uploads");
  const bucket = media.openBucket({ setting: "uploadStore", folder: "uploads", section });
  return new BucketUploads({ bucket, media, spool });
}
