import type { SiteContext } from "#kernel";
import type { StoreOptions } from "./content-store.js";
import { snapshotPath } from "./snapshot.js";

/** The options of the store that follow from the settings and the mode of a site. */
export function storeOptions({
  settings,
  paths,
  purpose,
  env,
  log,
}: SiteContext): Omit<StoreOptions, "rules" | "onChange"> {
  const { cache } = settings.system;
  const isAlone = purpose === "export";
  return {
    check: cache.check,
    snapshotFile: cache.enabled ? snapshotPath(paths.cache) : null,
    isAlone,
    keepsLastGood: env.mode === "dev" && !isAlone,
    log,
  };
}
