/**
 * Accepts files from visitors, limits their type and size, and serves them.
 * Uses: media, security, session.
 */
import { join } from "node:path";
import { definePlugin } from "#kernel";
import type {} from "./contract.js";
import { uploadErrors } from "./errors.js";
import { uploadRoutes } from "./routes.js";
import { settings } from "./settings.js";
import { UploadStore } from "./upload-store.js";

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
    const store = new UploadStore({
      folder: join(site.paths.data, "uploads"),
      maxTotalBytes: section.max_total_mb * MEGABYTE,
    });
    uploadRoutes(site, { section, store, maxBytes: section.max_size_mb * MEGABYTE });
    // A worker that replaces another one must not delete what the others receive.
    if (site.runtime.workers.isFirst) site.lifecycle.onListen(() => store.sweep());
    if (section.require_auth && site.settings.site.auth === undefined) {
      site.log.warn("uploads.auth_missing", {
        fix: "add an auth block, or set uploads.require_auth to false",
      });
    }
  },
});
