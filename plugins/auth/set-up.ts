import { type ExtensionList, type Handler, type SiteContext, SitePath } from "#kernel";
import type { AuthSection, PersonalData } from "./contract.js";
import { openIdService } from "./openid-service.js";
import { PERSONAL_DATA_RULES } from "./personal-data.js";

/** Registers what the plugin does in a site that starts. */
export async function setUpAuth(site: SiteContext): Promise<void> {
  const personalData = site.extensions.open("personalData", PERSONAL_DATA_RULES);
  site.provide("openid", openIdService(site));
  const { auth } = site.settings.site;
  // Without the block the plugin adds nothing: no route, no middleware, no cookie.
  if (auth === undefined) return;
  const identity = await setUp(site, auth, personalData);
  for (const handler of identity) site.http.use("identity", handler);
  const sitePath = new SitePath(site.settings.site.url);
  const ownsTarget = (target: string): boolean => /^\/auth(?:[/?]|$)/.test(sitePath.inside(target));
  site.provide("auth", { identity, ownsTarget });
}

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
