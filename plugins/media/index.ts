/**
 * Serves the files of pages and variants of their images, made once and kept.
 * Provides: media
 * Uses: cache, content, health, security, session
 * Opens: image, imageStore
 * Adds: imageAttributes
 * Fires: onImageCreate, onImageStoreCreate
 */
import { definePlugin } from "#kernel";
import type {} from "../security/contract.js";
import type {} from "../session/contract.js";
import { settings } from "./settings.js";
import { mediaErrors } from "./errors.js";

export default definePlugin({
  name: "media",
  version: "1.0.0",
  async diagnostics() {
    const { imageCheck, imageFolderCheck, imageStoreCheck } = await import("./diagnostics.js");
    return [imageCheck, imageFolderCheck, imageStoreCheck];
  },
  errors: mediaErrors,
  description: "Media of pages and image processing",
  requires: ["content"],
  after: ["health", "markdown"],
  settings,
  fires: { onImageCreate: "create", onImageStoreCreate: "create" },
  async setup(site) {
    const { setUpMedia } = await import("./set-up.js");
    setUpMedia(site);
  },
});
