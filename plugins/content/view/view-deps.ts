import type { SiteContext } from "#kernel";
import type {
  Collection,
  CollectionQuery,
  CollectionSource,
  ContentView,
  Page,
  PageEntry,
} from "../contract.js";
import type { ContentIndex } from "../index/content-index.js";
import type { PageLoader } from "./page-loader.js";
import type { RouteRules } from "./resolve-route.js";

/** The dependencies of a view, apart from the index. */
export interface ViewDeps {
  index: ContentIndex;
  rules: RouteRules;
  /** Configured taxonomy names. */
  taxonomies: readonly string[];
  /** Unix ms: the time at which schedules are evaluated. */
  now: number;
  sources: ReadonlyMap<string, CollectionSource>;
  load(entry: PageEntry, view: ContentView): Promise<Page>;
  finish(query: CollectionQuery, collection: Collection): Promise<Collection>;
}

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
