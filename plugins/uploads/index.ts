/**
 * Accepts files from visitors, limits their type and size, and serves them.
 * Uses: media, security, session.
 */
import { join } from "node:path";
import { definePlugin, type SiteContext } from "#kernel";
import { BucketUploads, FolderUploads, UploadStore } from "./upload-store.js";
import type { UploadFiles } from "./contract.js";
import { uploadErrors } from "./errors.js";
import { uploadRoutes } from "./routes.js";
import { settings } from "./settings.js";

const MEGABYTE = 1_048_576;

export default definePlugin({
  name: "uploads",
  version: "1.0.0",
  onlyServing: true,
  description: "Uploads by visitors",
  errors: uploadErrors,
  requires: ["media", "security"],
  after: ["session", "auth"],
  settings,
  setup(site) {
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
  },
});

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
