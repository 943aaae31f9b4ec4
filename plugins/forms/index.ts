/**
 * Forms for visitors, described by files in `forms/`: shown in pages, checked, stored, mailed, announced.
 * Provides: forms.
 * Uses: records, content, security, session, markdown, render, email, webhooks, admin.
 * Adds: pluginProblems, rootFolders, panelExtensions, personalData.
 * Fires: onFormSubmit.
 */
import { definePlugin } from "#kernel";
import type {} from "../panel/contract.js";
import type {} from "./contract.js";
import { formErrors } from "./errors.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "forms",
  version: "1.0.0",
  description: "Forms for visitors",
  requires: ["content", "records", "security"],
  after: ["session", "markdown", "render", "email", "webhooks", "admin", "auth", "panel"],
  errors: formErrors,
  fires: { onFormSubmit: "notify" },
  settings,
  async setup(site) {
    const { setUpForms } = await import("./set-up.js");
    setUpForms(site);
  },
});
