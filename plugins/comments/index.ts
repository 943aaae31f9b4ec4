/**
 * Comments of visitors below pages, with moderation; off until site.yaml has a `comments` block.
 * Provides: comments.
 * Uses: records, content, forms, markdown, security, render, email, admin.
 * Adds: pageProps, panelExtensions, personalData.
 */
import { definePlugin } from "#kernel";
import type {} from "../admin/contract.js";
import type {} from "../panel/contract.js";
import { commentErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "comments",
  version: "1.0.0",
  description: "Comments of visitors",
  requires: ["content", "markdown", "records", "security"],
  after: ["forms", "session", "render", "email", "admin", "auth", "panel"],
  errors: commentErrors,
  settings,
  async setup(site) {
    const { setUpComments } = await import("./set-up.js");
    setUpComments(site);
  },
});
