/** Bits of a posting below the document number: body occurrences (0 to 5), then the title. */
export const POSTING_BITS = 4;
export const BODY_MASK = 7;
export const TITLE_BIT = 8;
/** The low bits of a posting: body occurrences and title. */
export const OWN_MASK = 15;

/**
 * A part of the index; only its tombstones change. Documents are numbered in the order of equal
 * scores (newest first, then by route), so the smaller number wins a tie.
 */
export interface Segment {
  readonly size: number;
  readonly routes: readonly string[];
  readonly titles: readonly string[];
  /** Hash of the normalised title, to find exact titles. */
  readonly titleHashes: Uint32Array;
  /** Documents ordered by normalised title. */
  readonly titleOrder: Uint32Array;
  /** As yyyymmdd; 0 when undated. */
  readonly dates: Int32Array;
  /** Sorted by UTF-16 unit. */
  readonly terms: readonly string[];
  /** Postings of term `t` are `postings[starts[t]]` to `postings[starts[t + 1] - 1]`. */
  readonly starts: Uint32Array;
  /** Document number, title bit, body occurrences; one per document that contains the term. */
  readonly postings: Uint32Array;
  /** Occurrences outside title and body: same ranges by term, document and slot beside each other. */
  readonly extraStarts: Uint32Array;
  readonly extraDocs: Uint32Array;
  readonly extraSlots: Uint16Array;
  readonly columns: ReadonlyMap<string, Column>;
  readonly byRoute: ReadonlyMap<string, number>;
  /** 1 for a document that was removed or replaced. */
  readonly dead: Uint8Array;
  deadCount: number;
}

/** The properties of a segment's documents besides their words. */
export type Heads = Pick<
  Segment,
  "size" | "routes" | "titles" | "titleHashes" | "titleOrder" | "dates" | "byRoute"
>;

/** Maps terms to the documents that have them. */
export type Postings = Pick<
  Segment,
  "terms" | "starts" | "postings" | "extraStarts" | "extraDocs" | "extraSlots"
>;

/**
 * Creates a segment without tombstones. Lists the fields, because a spread is many times slower.
 */
export function createSegment(
  heads: Heads,
  lists: Postings,
  columns: ReadonlyMap<string, Column>,
): Segment {
  const { size, routes, titles, titleHashes, titleOrder, dates, byRoute } = heads;
  const { terms, starts, postings, extraStarts, extraDocs, extraSlots } = lists;
  return {
    size,
    routes,
    titles,
    titleHashes,
    titleOrder,
    dates,
    terms,
    starts,
    postings,
    extraStarts,
    extraDocs,
    extraSlots,
    columns,
    byRoute,
    dead: new Uint8Array(size),
    deadCount: 0,
  };
}

/** Range of the terms that begin with `prefix`: `[from, to)`. */
export function termRange(terms: readonly string[], prefix: string): [from: number, to: number] {
  const from = firstWhere(0, terms.length, (at) => (terms[at] ?? "") >= prefix);
  const to = firstWhere(from, terms.length, (at) => !(terms[at] ?? "").startsWith(prefix));
  return [from, to];
}

/** Binary search: the first number for which a monotonic predicate holds. */
export function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Hash of a normalised title. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** YYYY-MM-DD as a number with the same order; 0 for null. */
export function toDay(date: string | null): number {
  return date === null ? 0 : Number(date.slice(0, 4) + date.slice(5, 7) + date.slice(8, 10));
}

/** Slots below this are for further fields; from here to `laterFields` for taxonomy values. */
const FIRST_VALUE = 16;
const LATER_FIELDS = 0x8000;

/**
 * Numbers for places outside title and body: one slot per further field, and one per position of a
 * document's taxonomy values. All segments of an index share them.
 */
export class Slots {
  readonly #fields: string[];

  constructor(fields: readonly string[] = []) {
    this.#fields = [...fields];
  }

  /** Names of the further fields, in the order they were first seen. */
  get fields(): readonly string[] {
    return this.#fields;
  }

  /** The slot of a further field; assigns a new one to a new name. */
  ofField(name: string): number {
    let at = this.#fields.indexOf(name);
    if (at < 0) at = this.#fields.push(name) - 1;
    return at < FIRST_VALUE ? at : Math.min(0xffff, LATER_FIELDS + at);
  }

  /** The slot of a document's taxonomy value by its position among all of them. */
  ofValue(position: number): number {
    return Math.min(FIRST_VALUE + position, LATER_FIELDS - 1);
  }

  /** The further field of a slot; null for a taxonomy value. */
  field(slot: number): string | null {
    if (slot < FIRST_VALUE) return this.#fields[slot] ?? null;
    return slot < LATER_FIELDS ? null : (this.#fields[slot - LATER_FIELDS] ?? null);
  }
}

/** Values of one property for each document: a dictionary and, per document, indexes into it. */
export interface Column {
  readonly values: readonly string[];
  /** Numbers of document `d` are `ids[starts[d]]` to `ids[starts[d + 1] - 1]`. */
  readonly starts: Uint32Array;
  readonly ids: Uint32Array;
}

/** Collects the values of one column, document by document. */
export class ColumnBuilder {
  readonly #known = new Map<string, number>();
  readonly #starts: number[] = [];
  readonly #ids: number[] = [];
  /** The last document that has a value. */
  readonly #last: number[] = [];

  /** Adds the values of document number `at`; skipped documents have none. */
  add(at: number, values: readonly string[]): void {
    while (this.#starts.length <= at) this.#starts.push(this.#ids.length);
    for (const value of values) {
      let id = this.#known.get(value);
      if (id === undefined) this.#known.set(value, (id = this.#known.size));
      if (this.#last[id] === at) continue;
      this.#last[id] = at;
      this.#ids.push(id);
    }
  }

  /** Returns the column with renumbered documents: `order[new] = old`. */
  finish(order: Uint32Array): Column {
    const starts = new Uint32Array(order.length + 1);
    const ids = new Uint32Array(this.#ids.length);
    let used = 0;
    for (let at = 0; at < order.length; at++) {
      const old = order[at] as number;
      const end = this.#starts[old + 1] ?? this.#ids.length;
      for (let from = this.#starts[old] ?? end; from < end; from++)
        ids[used++] = this.#ids[from] as number;
      starts[at + 1] = used;
    }
    return { values: [...this.#known.keys()], starts, ids };
  }
}

/**
 * Name of the column of a taxonomy or facet field; the other columns are `template`, `lang` and
 * `access`.
 */
export const columnOf = {
  taxonomy: (name: string): string => `taxonomy ${name}`,
  facet: (field: string): string => `facet ${field}`,
};

/** True when document `at` has one of the allowed values. */
export function hasValue(column: Column, allowed: Uint8Array, at: number): boolean {
  const end = column.starts[at + 1] ?? 0;
  for (let from = column.starts[at] ?? 0; from < end; from++) {
    if (allowed[column.ids[from] ?? 0] === 1) return true;
  }
  return false;
}
