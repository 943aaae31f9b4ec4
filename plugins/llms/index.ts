/**
 * Pages as Markdown for programs: `.md` addresses, `Accept: text/markdown`, llms.txt and llms-full.txt.
 * Uses: content, session.
 * Adds: pageHead.
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";

export default definePlugin({
  name: "llms",
  version: "1.0.0",
  requires: ["content"],
  after: ["session", "render"],
  settings,
  async setup(site) {
    const { setUpLlms } = await import("./set-up.js");
    setUpLlms(site);
  },
});
