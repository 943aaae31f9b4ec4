import type { SynonymLists } from "../similar/synonyms.js";

/** The files of the search index in a static export. */

/** Document numbers, each stored as the distance to the previous one. */
export type Steps = readonly number[];

/**
 * A term and where it occurs: in bodies (alternating step and count), in titles, in taxonomy values
 * (alternating step and value number), in further fields (field number, steps).
 */
export type TermRow = readonly [
  term: string,
  body: readonly number[],
  title: Steps,
  values: readonly number[],
  fields: readonly (readonly [field: number, steps: Steps])[],
];

/** The terms from one word up to the next, and the full titles that start with one of them. */
export interface TermFile {
  terms: readonly TermRow[];
  titles: readonly (readonly [normalized: string, ids: readonly number[]])[];
}

/** The fields of a document that a result shows. */
export interface ShownDocument {
  route: string;
  title: string;
  template: string;
  /** Empty when undated. */
  date: string;
  taxonomy: Readonly<Record<string, readonly string[]>>;
  text: string;
  type?: string;
}

/** Filter values, by document number. */
export interface RowFile {
  rows: readonly DocumentRow[];
}
/** See `SearchDocument`. */
export type DocumentRow = readonly [
  route: string,
  lang: string,
  template: string,
  date: string | null,
  taxonomy: Readonly<Record<string, readonly string[]>>,
  facets: Readonly<Record<string, readonly string[]>>,
];

/**
 * A document that changed after the files were written; its number lies between those of others.
 */
export interface LateDocument {
  id: number;
  shown: ShownDocument;
  row: DocumentRow;
  /** Term, occurrences in the body, 1 if in the title, taxonomy value numbers, field numbers. */
  terms: readonly (readonly [
    term: string,
    body: number,
    title: 0 | 1,
    values: readonly number[],
    fields: readonly number[],
  ])[];
  /** The full title, normalized for comparison. */
  title: string;
}

/**
 * The head of the index, read first: it lists the other files. Documents are numbered newest first.
 */
export interface IndexFileHead {
  format: 1;
  documents: number;
  /** First term and name of each file of terms, in order. */
  terms: readonly (readonly [first: string, file: string])[];
  /** First number and name of each file of documents, in order. */
  shown: readonly (readonly [first: number, file: string])[];
  rows: string;
  /** Documents whose entries in the files are outdated. */
  removed: readonly number[];
  late: string | null;
  fields: readonly string[];
  /** Weights of `search.fields`, as configured. */
  weights: Readonly<Record<string, { weight: number }>>;
  facets: readonly string[];
  highlight: boolean;
  excerptLength: number;
  pageSize: number;
  syntax: "plain" | "extended";
  /** The rules by which similar hits are found: typos, and the lists of synonyms by language. */
  similar: {
    typo: boolean;
    lists: Readonly<Record<string, readonly SynonymLists[]>>;
    /** The language of searches without one. */
    main: string;
  };
}
