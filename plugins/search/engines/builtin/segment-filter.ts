import type { SearchQuery } from "../../contract.js";
import { columnOf, hasValue } from "./columns.js";
import type { Column } from "./columns.js";
import { toDay } from "./segment.js";
import type { Segment } from "./segment.js";

/** Results of `check`, besides the number of the only facet that rejects the document. */
export const PASSES = -1;
/** Rejected by a filter that is not a facet, or by more than one facet. */
export const REFUSED = -2;

interface Rule {
  /** Null: no document of the segment has such a value. */
  readonly column: Column | null;
  readonly allowed: Uint8Array;
  /** Position among the counted facets; `refused` for every other filter. */
  readonly facet: number;
}

/** The filters of a query, prepared for one segment. */
export class SegmentFilter {
  readonly #segment: Segment;
  readonly #rules: Rule[] = [];
  readonly #from: number;
  readonly #to: number;
  /** 1 for documents that `routes` of the query leaves; null: all. */
  readonly #left: Uint8Array | null;

  constructor(segment: Segment, query: SearchQuery) {
    this.#segment = segment;
    const { template, from, to, taxonomy, facets } = query.filters;
    this.#from = from === undefined ? (to === undefined ? 0 : 1) : Math.max(1, toDay(from));
    this.#to = to === undefined ? Infinity : toDay(to);
    this.#left = query.routes === undefined ? null : leftIn(segment, query.routes);
    this.#addAccess(query.access);
    if (query.lang !== null) this.#add("lang", [query.lang, ""]);
    if (template !== undefined) this.#add("template", [template]);
    for (const [name, values] of Object.entries(taxonomy))
      this.#add(columnOf.taxonomy(name), values);
    for (const [field, values] of Object.entries(facets)) {
      const position = query.facets.indexOf(field);
      this.#add(columnOf.facet(field), values, position < 0 ? REFUSED : position);
    }
  }

  /** True when only tombstones can reject a document of the segment. */
  get isOpen(): boolean {
    const isUnlimited = this.#rules.length === 0 && this.#from === 0 && this.#left === null;
    return isUnlimited && this.#segment.deadCount === 0;
  }

  /** `passes`, `refused`, or the position of the only facet that rejects the document. */
  check(doc: number): number {
    if (this.#isOut(doc)) return REFUSED;
    let verdict = PASSES;
    for (const rule of this.#rules) {
      if (rule.column && hasValue(rule.column, rule.allowed, doc)) continue;
      if (rule.facet === REFUSED || verdict !== PASSES) return REFUSED;
      verdict = rule.facet;
    }
    return verdict;
  }

  #isOut(doc: number): boolean {
    if (this.#segment.dead[doc] === 1) return true;
    if (this.#left !== null && this.#left[doc] === 0) return true;
    const day = this.#segment.dates[doc] ?? 0;
    return day < this.#from || day > this.#to;
  }

  #addAccess(keys: readonly string[]): void {
    const column = this.#segment.columns.get("access");
    if (column?.values.every((value) => keys.includes(value))) return;
    this.#add("access", keys);
  }

  #add(name: string, values: readonly string[], facet = REFUSED): void {
    const column = this.#segment.columns.get(name) ?? null;
    const wanted = new Set(values);
    const allowed = Uint8Array.from(column?.values ?? [], (value) => (wanted.has(value) ? 1 : 0));
    this.#rules.push({ column: allowed.includes(1) ? column : null, allowed, facet });
  }
}

function leftIn(
  { byRoute, size }: Segment,
  { only, except }: NonNullable<SearchQuery["routes"]>,
): Uint8Array {
  const left = new Uint8Array(size).fill(only === null ? 1 : 0);
  const set = (route: string, value: number): void => {
    const doc = byRoute.get(route);
    if (doc !== undefined) left[doc] = value;
  };
  for (const route of only ?? []) set(route, 1);
  for (const route of except) set(route, 0);
  return left;
}
