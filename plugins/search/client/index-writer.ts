/** The files of an exported index: terms with their positions, rows of filter values, texts of results. */
import { sha256 } from "#lib/secrets";
import type { SearchDocument } from "../contract.js";
import { MAX_BODY_OCCURRENCES } from "../query/score.js";
import { READERS } from "../query/select.js";
import { normalizeText, tokenize } from "../query/terms.js";
import type { DocumentRow, LateDocument, ShownDocument, TermFile, TermRow } from "./format.js";

/** Characters per file of terms and per file of documents: what a query loads at a time. */
const TERM_FILE = 48_000;
const SHOWN_FILE = 16_000;

/** Numbers for values that many documents share: fields, taxonomy values. */
export class Numbers {
  readonly #byName = new Map<string, number>();

  /** Numbers `names` in their order. */
  constructor(names: readonly string[] = []) {
    for (const name of names) this.of(name);
  }

  of(name: string): number {
    const number = this.#byName.get(name) ?? this.#byName.size;
    this.#byName.set(name, number);
    return number;
  }

  get names(): string[] {
    return [...this.#byName.keys()];
  }
}

interface Postings {
  body: number[];
  title: number[];
  values: number[];
  fields: Map<number, number[]>;
}

/** Lists the positions of each term in a document. */
export function collectTerms(
  document: SearchDocument,
  fields: Numbers,
  values: Numbers,
): LateDocument["terms"] {
  const byTerm = new Map<string, [number, 0 | 1, Set<number>, Set<number>]>();
  const at = (term: string): [number, 0 | 1, Set<number>, Set<number>] => {
    const positions = byTerm.get(term) ?? [0, 0, new Set(), new Set()];
    byTerm.set(term, positions);
    return positions;
  };
  for (const term of tokenize(document.body)) at(term)[0] += 1;
  for (const term of tokenize(document.title)) at(term)[1] = 1;
  for (const [name, list] of Object.entries(document.taxonomy)) {
    for (const value of list) {
      const number = values.of(`${name}\0${value}`);
      for (const term of tokenize(value)) at(term)[2].add(number);
    }
  }
  for (const [name, text] of Object.entries(document.fields)) {
    const number = fields.of(name);
    for (const term of tokenize(text)) at(term)[3].add(number);
  }
  return [...byTerm].map(([term, [body, title, ofValues, ofFields]]) => [
    term,
    Math.min(body, MAX_BODY_OCCURRENCES),
    title,
    [...ofValues],
    [...ofFields],
  ]);
}

/** Collects documents, numbered in their order, and returns the files. */
export class IndexWriter {
  readonly files = new Map<string, string>();
  readonly fields = new Numbers();
  readonly values = new Numbers();
  readonly rows: DocumentRow[] = [];
  readonly shown: [first: number, file: string][] = [];
  readonly #terms = new Map<string, Postings>();
  readonly #titles = new Map<string, number[]>();
  #open: ShownDocument[] = [];
  #openSize = 0;

  add(document: SearchDocument, type: string | undefined): void {
    const id = this.rows.length;
    this.rows.push(toDocumentRow(document));
    for (const [term, body, title, values, fields] of collectTerms(
      document,
      this.fields,
      this.values,
    )) {
      const postings = this.#postings(term);
      if (body > 0) postings.body.push(id, body);
      if (title === 1) postings.title.push(id);
      for (const value of values) postings.values.push(id, value);
      for (const field of fields) {
        const ids = postings.fields.get(field) ?? [];
        postings.fields.set(field, ids);
        ids.push(id);
      }
    }
    const normalized = normalizeText(document.title);
    this.#titles.set(normalized, [...(this.#titles.get(normalized) ?? []), id]);
    this.#show(toShown(document, type));
  }

  /** Writes the collected terms; returns the first term and the name of each file. */
  finish(): { terms: [first: string, file: string][]; rows: string } {
    this.#closeShown();
    const titles = this.#titlesByTerm();
    const terms: [string, string][] = [];
    let open: { rows: TermRow[]; titles: [string, number[]][]; size: number } = empty();
    const close = (): void => {
      const first = open.rows[0]?.[0];
      const file: TermFile = { terms: open.rows, titles: open.titles };
      if (first !== undefined) terms.push([first, this.#write("terms", file)]);
      open = empty();
    };
    for (const term of [...this.#terms.keys()].sort()) {
      const row = toRow(term, this.#postings(term));
      open.rows.push(row);
      open.titles.push(...(titles.get(term) ?? []));
      open.size += JSON.stringify(row).length;
      this.#terms.delete(term);
      if (open.size >= TERM_FILE) close();
    }
    close();
    return { terms, rows: this.#write("rows", { rows: this.rows }) };
  }

  #postings(term: string): Postings {
    const postings = this.#terms.get(term) ?? {
      body: [],
      title: [],
      values: [],
      fields: new Map(),
    };
    this.#terms.set(term, postings);
    return postings;
  }

  /** A title is stored with its first word, which a query for the title contains too. */
  #titlesByTerm(): Map<string, [string, number[]][]> {
    const byTerm = new Map<string, [string, number[]][]>();
    for (const [title, ids] of this.#titles) {
      const term = tokenize(title)[0];
      if (term !== undefined) byTerm.set(term, [...(byTerm.get(term) ?? []), [title, ids]]);
    }
    return byTerm;
  }

  #show(document: ShownDocument): void {
    this.#open.push(document);
    this.#openSize += document.text.length + 200;
    if (this.#openSize >= SHOWN_FILE) this.#closeShown();
  }

  #closeShown(): void {
    if (this.#open.length === 0) return;
    this.shown.push([this.rows.length - this.#open.length, this.#write("pages", this.#open)]);
    this.#open = [];
    this.#openSize = 0;
  }

  #write(kind: string, value: unknown): string {
    return addFile(this.files, kind, value);
  }
}

function empty(): { rows: TermRow[]; titles: [string, number[]][]; size: number } {
  return { rows: [], titles: [], size: 0 };
}

/** Adds a file named after a hash of its bytes; returns the name. */
export function addFile(files: Map<string, string>, kind: string, value: unknown): string {
  const text = JSON.stringify(value);
  const hash = sha256(text).slice(0, 12);
  const name = `${kind}-${hash}.json`;
  files.set(name, text);
  return name;
}

/** Returns the fields of a document that a result shows. */
export function toShown(document: SearchDocument, type: string | undefined): ShownDocument {
  const { route, title, template, date, taxonomy, body } = document;
  const shown = { route, title, template, date: date ?? "", taxonomy, text: body };
  return type === undefined ? shown : { ...shown, type };
}

/** Returns the filter values of a document. */
export function toDocumentRow(document: SearchDocument): DocumentRow {
  const { route, lang, template, date, taxonomy } = document;
  const { [READERS]: _readers, ...facets } = document.facets;
  return [route, lang, template, date, taxonomy, facets];
}

function toRow(term: string, { body, title, values, fields }: Postings): TermRow {
  const byField = [...fields].map(([field, ids]) => [field, steps(ids, 1)] as const);
  return [term, steps(body, 2), steps(title, 1), steps(values, 2), byField];
}

/** Each `width`th number is stored as the distance to the previous one. */
function steps(numbers: readonly number[], width: number): number[] {
  let last = 0;
  return numbers.map((number, at) => {
    if (at % width !== 0) return number;
    const step = number - last;
    last = number;
    return step;
  });
}
