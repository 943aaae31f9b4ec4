/** Searchable documents, the records of plugins, and filters on documents. */

/** One searchable item: a page, a flex record or a contributed record. */
export interface SearchDocument {
  /** Public address with language prefix, and the key: one document per route. */
  readonly route: string;
  readonly title: string;
  /** Plain text, without markup. */
  readonly body: string;
  /** Further indexed texts by field name: `template`, `description`, custom fields. */
  readonly fields: Readonly<Record<string, string>>;
  readonly template: string;
  /** YYYY-MM-DD; null when undated. */
  readonly date: string | null;
  readonly taxonomy: Readonly<Record<string, readonly string[]>>;
  /** Language code; empty for documents without a language, which every language finds. */
  readonly lang: string;
  /**
   * Values per configured facet field. On a multilingual site, `:readers` lists the languages whose
   * readers get the document, also in place of a missing translation.
   */
  readonly facets: Readonly<Record<string, readonly string[]>>;
  /** Access key: empty for public documents, otherwise it must be in `SearchQuery.access`. */
  readonly access: string;
}

/** A record that a plugin contributes through `onSearchRecordsCollect`; its result links to the route. */
export interface SearchRecord {
  route: string;
  title: string;
  /** Plain text. */
  body: string;
  /** Further indexed texts; `subtype` is also the value of that facet. */
  fields?: Record<string, string>;
  /** Default `page`. */
  template?: string;
  /** YYYY-MM-DD. */
  date?: string | null;
  taxonomy?: Record<string, readonly string[]>;
  /** Language code. Default: none, so that searches in every language find it. */
  lang?: string;
  /** Shown as `type` of the result: the name of the flex type. */
  type?: string;
}

/** Filters on documents; all of them must match. */
export interface SearchFilters {
  readonly template?: string;
  /** First and last day, YYYY-MM-DD; undated documents match neither. */
  readonly from?: string;
  readonly to?: string;
  /** One of the values per taxonomy. */
  readonly taxonomy: Readonly<Record<string, readonly string[]>>;
  /** One of the values per facet field. */
  readonly facets: Readonly<Record<string, readonly string[]>>;
}
