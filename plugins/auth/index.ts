/**
 * Visitor login, by providers and magic links or by an identity provider's tokens.
 * Provides: auth, openid
 * Uses: session, users, security, outbound, email, render
 * Opens: personalData
 * Fires: onLogin, onLogout
 */
import {
  definePlugin,
  type ExtensionList,
  type Handler,
  OptionalPackages,
  type SiteContext,
  SitePath,
} from "#kernel";
import type { AuthSection, PersonalData } from "./contract.js";
import { openIdService } from "./openid-service.js";
import { checkSettings, settings } from "./settings.js";
import { authErrors } from "./errors.js";
import { PERSONAL_DATA_RULES } from "./personal-data.js";

const tokenPackages = new OptionalPackages({
  plugin: "auth",
  packages: ["jsonwebtoken"],
  neededBy: ({ settings: { site } }) =>
    site.auth?.mode === "external-jwt" ? "auth.mode: external-jwt" : null,
});
const keyPackages = new OptionalPackages({
  plugin: "auth",
  packages: ["jwks-rsa"],
  neededBy: ({ settings: { site } }) =>
    site.auth?.mode === "external-jwt" && site.auth.jwt?.jwksUrl !== undefined
      ? "auth.jwt.jwksUrl"
      : null,
});

export default definePlugin({
  name: "auth",
  version: "1.0.0",
  onlyServing: true,
  errors: authErrors,
  requires: ["session", "users", "security", "outbound"],
  after: ["email", "render", "cache"],
  settings,
  check: checkSettings,
  diagnostics: [tokenPackages.diagnostic, keyPackages.diagnostic],
  fires: { onLogin: "notify", onLogout: "notify" },
  async setup(site) {
    await tokenPackages.assertInstalled(site);
    await keyPackages.assertInstalled(site);
    const personalData = site.extensions.open("personalData", PERSONAL_DATA_RULES);
    site.provide("openid", openIdService(site));
    const { auth } = site.settings.site;
    // Without the block the plugin adds nothing: no route, no middleware, no cookie.
    if (auth === undefined) return;
    const identity = await setUp(site, auth, personalData);
    for (const handler of identity) site.http.use("identity", handler);
    const sitePath = new SitePath(site.settings.site.url);
    const ownsTarget = (target: string): boolean =>
      /^\/auth(?:[/?]|$)/.test(sitePath.inside(target));
    site.provide("auth", { identity, ownsTarget });
  },
});

async function setUp(
  site: SiteContext,
  auth: AuthSection,
  personalData: ExtensionList<PersonalData>,
): Promise<readonly Handler[]> {
  if (auth.mode === "dune") {
    return (await import("./own-login.js")).setUpOwnLogin(site, auth, personalData);
  }
  return (await import("./tokens/external-tokens.js")).setUpExternalTokens(site, auth);
}
