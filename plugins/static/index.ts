/**
 * Writes the whole site as files that any host can serve: pages, media, feeds, search.
 * Provides: static.
 * Uses: content, markdown, render, search, flex.
 */
import { definePlugin } from "#kernel";
import { staticErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "static",
  version: "1.0.0",
  errors: staticErrors,
  description: "Static export",
  requires: ["content", "render"],
  after: ["security", "cache", "search", "feeds", "flex", "media", "pages"],
  settings,
  async commands() {
    const { buildCommand } = await import("./build-command.js");
    return [buildCommand()];
  },
  async setup(site) {
    if (site.lifecycle.purpose !== "export") return;
    const { setUpStatic } = await import("./set-up.js");
    setUpStatic(site);
  },
});
