/**
 * Paid roles: visitors pay at a provider, and its signed reports grant and revoke roles.
 * Uses: users, outbound, security, session.
 * Adds: personalData.
 * Handles: onUserDelete.
 */
import { join } from "node:path";
import { definePlugin, OptionalPackages } from "#kernel";
import type {} from "../auth/contract.js";
import { checkPayments, settings } from "./settings.js";
import { paymentErrors } from "./errors.js";

const packages = new OptionalPackages({
  plugin: "payments",
  packages: ["stripe"],
  neededBy: ({ settings: { site } }) => (site.payments === undefined ? null : "payments"),
});

export default definePlugin({
  name: "payments",
  version: "1.0.0",
  description: "Paid roles",
  errors: paymentErrors,
  requires: ["users", "outbound", "security"],
  after: ["session", "auth"],
  settings,
  async diagnostics() {
    const { privateFoldersCheck } = await import("#lib/diagnostics");
    return [
      packages.diagnostic,
      privateFoldersCheck(({ paths }) => [join(paths.data, "payments")]),
    ];
  },
  check: checkPayments,
  async setup(site) {
    // Without the block there are neither routes nor a folder.
    if (site.settings.site.payments === undefined) return;
    // At startup rather than with the first customer.
    site.lifecycle.onListen(() => packages.assertInstalled(site));
    const { setUpPayments } = await import("./set-up.js");
    setUpPayments(site);
  },
});
