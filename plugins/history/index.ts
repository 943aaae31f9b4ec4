/**
 * Versions of each page, and commits to git, of everything that is written.
 * Provides: history.
 * Uses: content, health.
 * Opens: commitTarget.
 */
import { definePlugin } from "#kernel";
import type {} from "../content/contract.js";
import { settings } from "./settings.js";
import { historyErrors } from "./errors.js";

export default definePlugin({
  name: "history",
  version: "1.0.0",
  async diagnostics() {
    const { gitCheck, lockCheck } = await import("./diagnostics.js");
    return [gitCheck(), lockCheck];
  },
  onlyServing: true,
  errors: historyErrors,
  description: "Versions of pages and commits to git",
  requires: ["content"],
  after: ["health"],
  settings,
  async setup(site) {
    const { setUpHistory } = await import("./set-up.js");
    setUpHistory(site);
  },
});
