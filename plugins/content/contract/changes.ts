/** Changes of the tree, for caches, hooks and later processes. */
import type { HookMap } from "#kernel";
import type { PageEntry } from "./pages.js";
import type { FileState } from "./writes.js";

/** The hooks about pages. */
export type PageHook = "onPageCreate" | "onPageUpdate" | "onPageDelete" | "onWorkflowChange";

/** The payload of one page hook. */
export type PageEvent = { [N in PageHook]: { hook: N; data: HookMap[N]["data"] } }[PageHook];

/** The state of a page in a tree, as short digests of what lists, navigation and terms show of it. */
export type PageState = readonly [
  bytes: string,
  /** Day of its last change, for sitemaps. */
  day: number,
  standing: string,
  metadata: string,
  navigation: string,
  terms: string,
  /** Tags of its position: the list of its parent, its routes. */
  places: readonly string[],
];

/** Source path to state; it may be stored as JSON, to be compared by a later process. */
export type TreeState = ReadonlyMap<string, PageState>;

/** The changes from one generation to the next. */
export interface ContentChanges {
  generation: number;
  created: readonly PageEntry[];
  updated: readonly PageEntry[];
  deleted: readonly PageEntry[];
  /**
   * Invalidated read tags: `page:…`, `route:…` and `media:…` for single items, `list:…` for a page's
   * children, `list` for all, `nav`, `taxonomy`; `modified` for the days on which pages changed.
   */
  tags: ReadonlySet<string>;
}

declare module "#kernel" {
  interface ChangeKinds {
    /**
     * A page of the tree, by source path. `create` and `delete` are those of its file: a page whose file
     * cannot be read for a while is updated from and to null. `before` and `after` are the same entry
     * when a scheduled page appears or disappears.
     */
    page: PageEntry;
    /** A file that `apply` wrote, by its path below the content folder; of a moved folder the folder. */
    file: FileState;
  }
}
