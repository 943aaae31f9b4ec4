/** Public types of the read API: the shapes of its items. */

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
  template: string;
  format: string;
  order: number;
}
/** An item of a collection. */
export interface CollectionListItem extends StandInMarks {
  route: string;
  title: string;
  date: string;
  template: string;
  format: string;
}
