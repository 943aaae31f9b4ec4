/** The query language of lists: what a request says, and what a list offers to it. */

/** A condition's operator; `is`: `filter[name]=value`, which compares texts. */
export type QueryOperator =
  | "is"
  | "eq"
  | "ne"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  | "in"
  | "nin"
  | "contains"
  | "startsWith"
  | "exists";
/** One condition of a request. */
export interface QueryCondition {
  /** As written, for messages: `filter[price][gte]`. */
  readonly parameter: string;
  readonly name: string;
  readonly operator: QueryOperator;
  /** At least one. */
  readonly values: readonly string[];
}
/** One key of `order`; `dir` is null where the request leaves it open. */
export interface QueryOrder {
  readonly name: string;
  readonly dir: "asc" | "desc" | null;
}
/** A request as it was written: names are not resolved yet. */
export interface QueryText {
  /** Null: whole items. */
  readonly fields: readonly string[] | null;
  readonly include: readonly string[];
  /** Conditions that all hold. */
  readonly all: readonly QueryCondition[];
  /** Groups of `filter[or]`: every condition of at least one group holds. */
  readonly any: readonly (readonly QueryCondition[])[];
  readonly order: readonly QueryOrder[];
  /** Null without the parameter; empty: the first page. */
  readonly cursor: string | null;
}

/** The comparison of the values of a name; `any`: by what each value is. */
export type QueryKind = "text" | "number" | "boolean" | "date" | "any";

/** The order of a list by one name, where its values do not tell it. */
export interface QuerySort<T> {
  value(item: T): string | number;
  compare(a: string | number, b: string | number): number;
}
/** A name that conditions, orders and `fields` may use. */
export interface QueryName<T> {
  readonly kind: QueryKind;
  /** The path at which `fields` puts it in an item. */
  readonly path: readonly string[];
  value(item: T): unknown;
  /** The value that `eq` to `nin` compare, if `value` shows only a part of it. Absent: `value`. */
  compared?(item: T): unknown;
  readonly sort?: QuerySort<T>;
}
/** A list as queries see it. */
export interface QuerySource<T> {
  /** @throws HttpError 400 for a name with several meanings. */
  find(name: string, parameter: string): QueryName<T> | undefined;
  /** Names to suggest for an unknown one. */
  names(): readonly string[];
  /** Unique, and the last key of every order, by code units. */
  key(item: T): string;
  /** The site's collation. */
  compareTexts(a: string, b: string): number;
  /** Sorts many texts by the collation, faster than one comparison at a time. Absent: by `compareTexts`. */
  sortTexts?(texts: readonly string[]): string[];
  /** Time zone of dates without an offset. */
  readonly timezone: string;
}

/** The requested part of a result. */
export interface QuerySlice {
  /** Items to skip; 0 with a cursor. */
  readonly offset: number;
  /** Undefined: all. */
  readonly limit: number | undefined;
}
/** A part of a result. `total` and `offset` count before and up to the part. */
export interface QueryResult<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly offset: number;
  /** The offset of the next part; null after the last one. */
  readonly nextCursor: string | null;
}
