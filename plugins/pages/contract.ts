/** Public types of the read API: the shapes of its items, and what `include=` adds to them. */
import type { ContentView, PageEntry } from "../content/contract.js";

/** Marks an item that replaces a missing translation. */
export interface StandInMarks {
  /** The language that the page is written in. */
  lang?: string;
  fallback?: true;
}
/** A page in a list. */
export interface PageListItem extends StandInMarks {
  route: string;
  title: string;
  /** YYYY-MM-DD, empty when undated. */
  date: string;
  /** ISO 8601, of dates with a time of day. */
  datetime?: string;
  template: string;
  format: string;
  published: boolean;
  taxonomy: Readonly<Record<string, readonly string[]>>;
}
/** A child of a page. */
export interface ChildItem extends StandInMarks {
  route: string;
  title: string;
  date: string;
  datetime?: string;
  template: string;
  format: string;
  order: number;
}
/** An item of a collection. */
export interface CollectionListItem extends StandInMarks {
  route: string;
  title: string;
  date: string;
  datetime?: string;
  template: string;
  format: string;
}

/** A name in `include=` adds this to the items of lists, and to a single page. */
export interface PageInclude {
  /** One sentence for the reference. */
  readonly description: string;
  /**
   * The value, under the name of the include; undefined adds nothing. Called only for the items of a
   * response. Show what `view` shows, and add what the value depends on to `view.reads`.
   */
  of(entry: PageEntry, view: ContentView): unknown;
}
/** Includes by name: a letter, then letters and digits. */
export interface PageIncludes {
  readonly [name: string]: PageInclude;
}

declare module "#kernel" {
  interface Extensions {
    /**
     * Includes for `include=`, by name: a letter, then letters and digits. The API has those of all plugins; a
     * name that it has itself cannot be replaced.
     *
     * @example
     * site.extensions.add("pageIncludes", {
     *   words: {
     *     description: "Number of words of the page",
     *     of: async (entry, view) => (await view.load(entry)).body.split(/\s+/).length,
     *   },
     * });
     */
    pageIncludes: PageIncludes;
  }
}
