/**
 * RSS, Atom and JSON feeds of the site, its sections and its taxonomy values; the sitemap; robots.txt.
 * Uses: content, markdown.
 * Adds: pageHead.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({
  name: "feeds",
  version: "1.0.0",
  requires: ["content", "markdown"],
  after: ["render", "media"],
  settings,
  async setup(site) {
    const { setUpFeeds } = await import("./set-up.js");
    setUpFeeds(site);
  },
});
