import { SiteError } from "#lib/errors";
import { processEnv } from "../config/environment/env.js";
import type { Logger, SiteRecipe } from "../contracts.js";
import { silentLog } from "../log/log.js";
import type { FirstParty } from "./load-site.js";
import { createSite, type Site } from "./create-site.js";

/**
 * Boots the site of a recipe without a port; resolves when it is ready. The caller closes it. Works in a
 * worker thread, which imports the host by URL.
 * @throws the errors of `createSite`.
 */
export async function bootWithoutPort(recipe: SiteRecipe, log: Logger = silentLog): Promise<Site> {
  const { root, firstParty: module, purpose, overrides } = recipe;
  const { firstParty } = (await import(module)) as { firstParty?: FirstParty };
  if (firstParty === undefined) {
    throw new SiteError("ERR_PLUGIN_LOAD", `${module} does not export firstParty`, {
      fix: "pass the URL of the module that exports `firstParty`",
    });
  }
  const site = await createSite(root, {
    firstParty,
    env: processEnv("production"),
    log,
    ...(purpose && { purpose }),
    ...(overrides && { overrides }),
  });
  await startOrClose(site);
  return site;
}

async function startOrClose(site: Site): Promise<void> {
  try {
    await site.start();
  } catch (error) {
    await site.close();
    throw error;
  }
}
