/** What others may know of the read API: the shapes of its items (specification: Resources). */

/** A page in a list. */
export interface PageListItem {
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
export interface ChildItem {
  route: string;
  title: string;
  date: string;
  template: string;
  format: string;
  order: number;
}
/** An item of a collection. */
export interface CollectionListItem {
  route: string;
  title: string;
  date: string;
  template: string;
  format: string;
}
