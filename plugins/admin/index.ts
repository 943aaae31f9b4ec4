/**
 * The admin API and its panel: one guard, accounts and tokens, pages, media, settings, audit log.
 * Provides: admin.
 * Uses: records, session, users, security, content, markdown, render, search, jobs, webhooks, flex, history,
 *   check, health, media, email, forms.
 * Adds: authorization
 * Handles: onUserDelete
 */
import { definePlugin } from "#kernel";
import type {} from "./contract.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "admin",
  version: "1.0.0",
  async diagnostics() {
    const { firstPasswordCheck } = await import("./accounts/first-account.js");
    return [firstPasswordCheck];
  },
  onlyServing: true,
  description: "Admin API and panel",
  requires: ["content", "jobs", "markdown", "records", "security", "session", "users"],
  settings,
  async commands() {
    const { createToken, listPermissions, listTokens, removeTotp, revokeToken } =
      await import("./commands.js");
    return [createToken, listPermissions, listTokens, revokeToken, removeTotp];
  },
  async setup(site) {
    if (!site.settings.admin.enabled) return;
    const { setUpAdmin } = await import("./set-up.js");
    setUpAdmin(site);
  },
});
