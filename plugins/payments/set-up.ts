import { join } from "node:path";
import type { SiteContext } from "#kernel";
import type { PaymentsSection } from "./contract.js";
import { StripeProvider } from "./engines/stripe.js";
import { Payments, RoleHolders } from "./payments.js";
import { PurchaseFiles } from "./purchases.js";
import { paymentRoutes } from "./routes.js";

/** Registers what the plugin does in a site that starts. */
export function setUpPayments(site: SiteContext): void {
  const { payments: section, auth } = site.settings.site;
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
  site.lifecycle.onListen(() => files.sweep(site.runtime.clock.now() - CHECKOUT_MS));
}

/** How long checkouts are stored: slow payment methods take days. */
const CHECKOUT_MS = 30 * 86_400_000;

/** Roles of the admin panel. */
const PANEL_ROLES: readonly string[] = ["admin", "editor", "author"];

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
