/**
 * Visitor login, by providers and magic links or by an identity provider's tokens.
 * Provides: auth, openid
 * Uses: session, users, security, outbound, email, render
 * Opens: personalData
 * Fires: onLogin, onLogout
 */
import { definePlugin, OptionalPackages } from "#kernel";
import { checkSettings, settings } from "./settings.js";
import { authErrors } from "./errors.js";

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
    const { setUpAuth } = await import("./set-up.js");
    await setUpAuth(site);
  },
});
