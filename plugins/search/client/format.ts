/** The files of the search index that a static export carries, as they are written and read. */

/** Numbers of documents, each as the distance to the one before. */
export type Steps = readonly number[];

/**
 * A term and where it occurs: in bodies (step and times, in turn), in titles, in values of
 * taxonomies (step and number of the value, in turn), in further fields (number of the field, steps).
 */
export type TermRow = readonly [
  term: string,
  body: readonly number[],
  title: Steps,
  values: readonly number[],
  fields: readonly (readonly [field: number, steps: Steps])[],
];

/** Terms from one word to the next, and the whole titles that begin with one of them. */
export interface TermFile {
  terms: readonly TermRow[];
  titles: readonly (readonly [normalized: string, ids: readonly number[]])[];
}

/** What a result shows. */
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

/** What filters ask about, by number of the document. */
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

/** A document that has changed since the files were written; the numbers are between those of others. */
export interface LateDocument {
  id: number;
  shown: ShownDocument;
  row: DocumentRow;
  /** Term, times in the body, 1 when in the title, numbers of taxonomy values, numbers of fields. */
  terms: readonly (readonly [
    term: string,
    body: number,
    title: 0 | 1,
    values: readonly number[],
    fields: readonly number[],
  ])[];
  /** The whole title as queries compare. */
  title: string;
}

/** What is read first: where the rest lies. Documents are numbered newest first. */
export interface IndexFileHead {
  format: 1;
  documents: number;
  /** First term and name of each file of terms, in order. */
  terms: readonly (readonly [first: string, file: string])[];
  /** First number and name of each file of documents, in order. */
  shown: readonly (readonly [first: number, file: string])[];
  rows: string;
  /** Documents that are no longer what the files say. */
  removed: readonly number[];
  late: string | null;
  fields: readonly string[];
  /** Weights of `search.fields`, as configured. */
  weights: Readonly<Record<string, { weight: number }>>;
  facets: readonly string[];
  highlight: boolean;
  excerptLength: number;
  pageSize: number;
}
