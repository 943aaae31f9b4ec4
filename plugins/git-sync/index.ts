/**
 * Keeps the pages in step with a branch of a git remote: clones, pulls, commits, pushes, lists conflicts.
 * Provides: gitSync.
 * Uses: content, history, flex, health, security, admin.
 * Adds: commitTarget, prepareContent, writeGuards.
 */
import { definePlugin } from "#kernel";
import type {} from "./contract.js";
import { gitSyncErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "git-sync",
  version: "1.0.0",
  async diagnostics() {
    const { remoteCheck, lockCheck } = await import("./diagnostics.js");
    return [remoteCheck(), lockCheck];
  },
  onlyServing: true,
  description: "Pages from a git repository, and back to it",
  errors: gitSyncErrors,
  requires: ["content", "history", "security"],
  after: ["flex", "health", "admin", "outbound"],
  settings,
  async setup(site) {
    const { setUpGitSync } = await import("./set-up.js");
    setUpGitSync(site);
  },
});
