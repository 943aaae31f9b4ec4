import { readFileSync } from "node:fs";
import type { SiteContext, ExtensionList } from "#kernel";
import { runningFile } from "#lib/packages";
import { sha256 } from "#lib/secrets";
import type { AuthSection, PersonalData } from "./contract.js";
import { AFTER_ROUTES, authHeaders, notConfigured, visitorMiddleware } from "./middleware.js";
import { createProviders } from "./providers/providers.js";
import { accountRoutes } from "./routes/account-routes.js";
import { AuthPages } from "./routes/auth-pages.js";
import type { AuthContext, VisitorPasskeys } from "./routes/auth-context.js";
import { linkStartRoutes, unlinkRoutes, oauthRoutes } from "./routes/oauth-routes.js";
import { loginRoutes } from "./routes/login-routes.js";
import { magicRoutes } from "./routes/magic-routes.js";
import { passkeyLoginRoutes, passkeyRoutes, addPasskeyNotice } from "./routes/passkey-routes.js";
import { Visitors } from "./visitors.js";

/** Mode `dune`: this site logs visitors in. Returns the identifying middleware. */
export function setUpOwnLogin(
  site: SiteContext,
  section: AuthSection,
  personalData: ExtensionList<PersonalData>,
) {
  const sessions = site.use("session");
  const users = site.use("users");
  const context: AuthContext = {
    site,
    personalData,
    section,
    sessions,
    users,
    visitors: new Visitors(users, site.log),
    providers: createProviders(section.providers, site.settings.site.url, site.use("outbound")),
    isSecure: site.runtime.env.mode !== "dev",
    passkeys: visitorPasskeys(site, section),
  };
  if (section.webhook !== undefined) {
    const fix = "remove it: reports of deleted users belong to mode external-jwt";
    site.log.warn("auth.settings", { key: "auth.webhook", fix });
  }
  const pages = new AuthPages(context);
  site.http.filter(authHeaders);
  site.http.use(AFTER_ROUTES, notConfigured);
  loginRoutes(context, pages);
  accountRoutes(context, pages);
  const { magicLink } = section.providers;
  if (magicLink?.enabled === true) {
    magicRoutes(context, pages, magicLink);
    site.lifecycle.onReady(() => warnWithoutMail(site));
  }
  if (context.passkeys !== null) {
    addPasskeyNotice(site);
    passkeyLoginRoutes(context, context.passkeys);
    passkeyRoutes(context, context.passkeys);
  }
  oauthRoutes(context, pages);
  linkStartRoutes(context, pages);
  unlinkRoutes(context);
  const { visitors } = context;
  const log = site.log;
  return [sessions.middleware("visitor"), visitorMiddleware({ sessions, users, visitors, log })];
}

/** The routes exist only where browsers offer passkeys. */
function visitorPasskeys(site: SiteContext, { providers }: AuthSection): VisitorPasskeys | null {
  if (providers.passkeys?.enabled !== true) return null;
  const { obstacle, of } = site.use("passkeys");
  if (obstacle !== null) {
    site.log.warn("auth.no_passkeys", { fix: obstacle.reason });
    return null;
  }
  const text = readFileSync(runningFile("plugins/auth/assets/passkeys.js"), "utf8");
  const url = `/auth/passkeys/${sha256(text).slice(0, 10)}.js`;
  return { passkeys: of("visitor", "/auth"), script: { url, text } };
}

/** Warn at startup when no mailer is configured, before visitors wait for links. */
function warnWithoutMail(site: SiteContext): void {
  if (site.use("email", { optional: true }) && site.engines.slot("mailer").activeName !== "none")
    return;
  const fix = "add an `email` block to site.yaml: without one no link is sent in production";
  site.log.warn("auth.no_mail", { fix });
}
