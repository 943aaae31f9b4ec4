/**
 * Accepts files from visitors, limits their type and size, and serves them.
 * Uses: media, security, session.
 */
import { definePlugin } from "#kernel";
import { uploadErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "uploads",
  version: "1.0.0",
  onlyServing: true,
  description: "Uploads by visitors",
  errors: uploadErrors,
  requires: ["media", "security"],
  after: ["session", "auth"],
  settings,
  async setup(site) {
    const { setUpUploads } = await import("./set-up.js");
    setUpUploads(site);
  },
});
