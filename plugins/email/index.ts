/**
 * Queued mail with retries through an exchangeable mailer, with templates that a theme can
 * override.
 * Provides: email
 * Uses: render, outbound, jobs
 * Opens: mailer
 * Fires: onMailerCreate
 */
import { definePlugin } from "#kernel";
import { settings } from "./settings.js";
import { emailErrors } from "./errors.js";

export default definePlugin({
  name: "email",
  version: "1.0.0",
  async diagnostics() {
    const { mailCheck } = await import("./diagnostics.js");
    return [mailCheck()];
  },
  onlyServing: true,
  errors: emailErrors,
  requires: ["outbound", "jobs"],
  after: ["render"],
  settings,
  fires: { onMailerCreate: "create" },
  async setup(site) {
    const { setUpEmail } = await import("./set-up.js");
    setUpEmail(site);
  },
});
