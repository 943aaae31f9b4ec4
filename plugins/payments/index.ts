/**
 * Paid roles: visitors pay at a provider, and its signed reports grant and revoke roles.
 * Uses: users, outbound, security, session.
 * Adds: personalData.
 * Handles: onUserDelete.
 */
import { join } from "node:path";
import { definePlugin, OptionalPackages, type SiteContext } from "#kernel";
import { privateFoldersCheck } from "#lib/diagnostics";
import type {} from "../auth/contract.js";
import { checkPayments, settings } from "./settings.js";
import type { PaymentsSection } from "./contract.js";
import { StripeProvider } from "./engines/stripe.js";
import { paymentErrors } from "./errors.js";
import { Payments, RoleHolders } from "./payments.js";
import { PurchaseFiles } from "./purchases.js";
import { paymentRoutes } from "./routes.js";

/** How long checkouts are stored: slow payment methods take days. */
const CHECKOUT_MS = 30 * 86_400_000;
/** Roles of the admin panel. */
const PANEL_ROLES: readonly string[] = ["admin", "editor", "author"];

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
  diagnostics: [
    packages.diagnostic,
    privateFoldersCheck(({ paths }) => [join(paths.data, "payments")]),
  ],
  check: checkPayments,
  setup(site) {
    const { payments: section, auth } = site.settings.site;
    // Without the block there are neither routes nor a folder.
    if (section === undefined) return;
    const { products } = section;
    const files = new PurchaseFiles(join(site.paths.data, "payments"));
    const users = site.use("users");
    const holders = new RoleHolders({
      users,
      authz: site.use("authz"),
      isKept: () => auth?.mode === "dune" && !users.isStateless,
    });
    const payments = new Payments({ products, files, holders, log: site.log });
    const provider = new StripeProvider({
      secretKey: section.secret_key,
      webhookSecret: section.webhook_secret,
      apiUrl: section.api_url,
      outbound: site.use("outbound"),
    });
    site.extensions.add("personalData", {
      fate: { kept: "purchases, because accounting needs them" },
      export: ({ id }) => payments.of(id),
      erase: async () => undefined,
    });
    paymentRoutes(site, { products, payments, provider });
    warn(site, section);
    warnOfDeleted(site, payments);
    // At startup rather than with the first customer.
    site.lifecycle.onListen(() => packages.assertInstalled(site));
    site.lifecycle.onListen(() => files.sweep(site.runtime.clock.now() - CHECKOUT_MS));
  },
});

/** Warns about settings that are allowed but insecure. */
function warn(site: SiteContext, { products }: PaymentsSection): void {
  if (site.settings.site.auth === undefined) {
    site.log.warn("payments.auth_missing", {
      fix: "add an auth block: only logged-in visitors can pay",
    });
  }
  const sold = products.filter(({ role }) => PANEL_ROLES.includes(role)).map(({ id }) => id);
  if (sold.length > 0) {
    site.log.warn("payments.panel_for_sale", {
      products: sold,
      fix: "sell another role: these give access to the admin panel",
    });
  }
}

/** The provider has no link to accounts and keeps charging for a deleted one. */
function warnOfDeleted(site: SiteContext, payments: Payments): void {
  site.hooks.on("onUserDelete", async ({ data: { user } }) => {
    const { subscriptions } = await payments.of(user.id);
    const running = Object.entries(subscriptions).filter(([, { isActive }]) => isActive);
    if (running.length === 0) return;
    const ids = running.map(([id]) => id);
    const fix = "cancel them at the payment provider";
    site.log.warn("payments.deleted_user_pays", { user: user.id, subscriptions: ids, fix });
  });
}
