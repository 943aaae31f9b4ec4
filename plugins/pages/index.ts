/**
 * The read API: pages, collections, taxonomy, navigation and the public configuration.
 * Uses: content, markdown, session.
 * Opens: pageIncludes.
 */
import { definePlugin } from "#kernel";

export default definePlugin({
  name: "pages",
  version: "1.0.0",
  requires: ["content", "markdown"],
  async setup(site) {
    const { setUpPages } = await import("./set-up.js");
    setUpPages(site);
  },
});
