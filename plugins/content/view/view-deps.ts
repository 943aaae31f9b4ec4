import type { SiteContext } from "#kernel";
import type { PageLoader } from "./page-loader.js";
import type { ViewDeps } from "./view.js";

/** Shared dependencies of views; each view has its own index and time. */
export function viewDepsOf(
  { settings, hooks }: Pick<SiteContext, "settings" | "hooks">,
  parts: Pick<ViewDeps, "index" | "sources" | "rules"> & { loader: PageLoader },
): ViewDeps {
  const { index, sources, rules, loader } = parts;
  return {
    index,
    now: 0,
    rules,
    taxonomies: settings.site.taxonomies,
    sources,
    load: (entry, view) => loader.load(entry, view),
    finish: async (query, found) => {
      const { collection } = await hooks.transform("onCollectionResolved", {
        query,
        collection: found,
      });
      return collection;
    },
  };
}
