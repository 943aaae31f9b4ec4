import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { sha256 } from "#lib/secrets";
import type { ExportedIndex, SearchDocument, SearchSection } from "../contract.js";
import { accessKey, type Source } from "../index/documents.js";
import { fingerprint } from "../index/index-file.js";
import { MAX_BODY_OCCURRENCES } from "../query/score.js";
import { compareRecency, READERS } from "../query/select.js";
import type { Sources } from "../index/sources.js";
import { normalizeText, tokenize } from "../query/terms.js";
import type {
  IndexFileHead,
  LateDocument,
  DocumentRow,
  ShownDocument,
  TermFile,
  TermRow,
} from "./format.js";

/** The sources of an index. */
export type IndexSources = Pick<Sources, "routes" | "get" | "head" | "shown" | "document">;

/** The settings of search, with what their files say. */
export interface ExportSection extends SearchSection {
  readonly lists?: IndexFileHead["similar"]["lists"];
  /** Default language. */
  readonly main?: string;
}

/** Number of documents read in one batch. */
const AT_ONCE = 16;
/** Share of changed documents above which all files are rewritten. */
const MAX_LATE = 0.05;
const FEW = 20;
/** Default number of results on the search page. */
const PAGE_SIZE = 50;

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

/** A hand-written check for ten thousand values: a schema takes seven times as long. */
function listOf<T>(isItem: (value: unknown) => value is T) {
  return z.custom<T[]>((value) => Array.isArray(value) && value.every(isItem));
}

const stateSchema = z.object({
  identity: z.string(),
  /** Route, date and fingerprint of each document, by number. */
  routes: listOf(isText),
  dates: listOf(isTextOrNull),
  prints: listOf(isText),
  values: z.array(z.string()),
  head: z.record(z.string(), z.unknown()),
});
type State = z.output<typeof stateSchema>;

/**
 * Builds the index that a browser searches without a server. With the state of the last export,
 * only changes are read: they go into a file of their own, and the large files stay.
 */
export async function exportIndex(
  sources: IndexSources,
  section: ExportSection,
  last: unknown,
): Promise<ExportedIndex> {
  const identity = JSON.stringify([3, section]);
  const known = stateSchema.safeParse(last);
  const state = known.success && known.data.identity === identity ? known.data : null;
  const late = state === null ? null : changesSince(sources, state);
  if (state === null || late === null) return writeAll(sources, section, identity);
  return writeLate(sources, state, late);
}

/** The sources that anonymous visitors may find. */
function openSources(sources: IndexSources): Source[] {
  return [...sources.routes()].flatMap((route) => {
    const source = sources.get(route);
    return source !== undefined && isOpen(source) ? [source] : [];
  });
}

function isOpen(source: Source): boolean {
  return source.kind === "record" || accessKey(source.entry.roles) === "";
}

function newestFirst(sources: IndexSources): Source[] {
  return openSources(sources)
    .map((source) => ({ source, shown: sources.shown(source) }))
    .sort((a, b) => compareRecency(a.shown, b.shown))
    .map(({ source }) => source);
}

async function writeAll(
  sources: IndexSources,
  section: ExportSection,
  identity: string,
): Promise<ExportedIndex> {
  const writer = new IndexWriter();
  const documents: Pick<State, "routes" | "dates" | "prints"> = {
    routes: [],
    dates: [],
    prints: [],
  };
  for (const source of newestFirst(sources)) {
    const document = await sources.document(source);
    writer.add(document, recordType(source));
    documents.routes.push(document.route);
    documents.dates.push(document.date);
    documents.prints.push(fingerprint(sources, source));
    // Yield, because other threads export pages at the same time and wait for work from this one.
    if (documents.routes.length % AT_ONCE === 0) await setImmediate();
  }
  const { terms, rows } = writer.finish();
  const head: IndexFileHead = {
    format: 1,
    documents: documents.routes.length,
    terms,
    shown: writer.shown,
    rows,
    removed: [],
    late: null,
    fields: writer.fields.names,
    weights: section.fields,
    facets: section.facets.map(({ field }) => field),
    highlight: section.highlight,
    excerptLength: section.excerpt_length,
    pageSize: section.page_size ?? PAGE_SIZE,
    syntax: section.syntax,
    similar: {
      typo: section.similar.typo,
      lists: section.lists ?? {},
      main: section.main ?? "",
    },
  };
  const files = new Map([...writer.files, ["index.json", JSON.stringify(head)]]);
  const state: State = { identity, ...documents, values: writer.values.names, head: { ...head } };
  return { files, kept: [], state };
}

interface Changes {
  /** Numbers of deleted or changed documents. */
  removed: number[];
  /** New and changed documents. */
  late: Source[];
}

/** Returns null when so much has changed that rewriting all files is cheaper. */
function changesSince(sources: IndexSources, state: State): Changes | null {
  const known = new Map(state.routes.map((route, id) => [route, state.prints[id]]));
  const kept = new Set<string>();
  const late: Source[] = [];
  for (const source of openSources(sources)) {
    const { route } = sources.shown(source);
    if (known.get(route) === fingerprint(sources, source)) kept.add(route);
    else late.push(source);
  }
  const removed = state.routes.flatMap((route, id) => (kept.has(route) ? [] : [id]));
  const most = Math.max(FEW, state.routes.length * MAX_LATE);
  return late.length + removed.length > most ? null : { removed, late };
}

async function writeLate(
  sources: IndexSources,
  state: State,
  { removed, late }: Changes,
): Promise<ExportedIndex> {
  // The head of the last full index, which this module has written.
  const base = state.head as unknown as IndexFileHead;
  const fields = numberNames(base.fields);
  const values = numberNames(state.values);
  const found: LateDocument[] = [];
  for (const source of late) {
    const document = await sources.document(source);
    const terms = collectTerms(document, fields, values);
    found.push({ id: 0, ...lateParts(document, recordType(source)), terms });
  }
  const files = new Map<string, string>();
  const name = found.length === 0 ? null : addFile(files, "late", numbered(found, state));
  const documents = base.documents - removed.length + found.length;
  const head = { ...base, documents, removed, late: name, fields: fields.names };
  files.set("index.json", JSON.stringify(head));
  const kept = [...base.terms, ...base.shown].map(([, file]) => file);
  return { files, kept: [...kept, base.rows], state };
}

function lateParts(document: SearchDocument, type: string | undefined) {
  const title = normalizeText(document.title);
  return { shown: toShown(document, type), row: toDocumentRow(document), title };
}

function numberNames(names: readonly string[]): Numbers {
  const numbers = new Numbers();
  for (const name of names) numbers.of(name);
  return numbers;
}

/** Numbers between those of the next newer and the next older document. */
function numbered(late: readonly LateDocument[], { routes, dates }: State): LateDocument[] {
  const newestFirst = late.toSorted((a, b) => compareRecency(toRecency(a), toRecency(b)));
  return newestFirst.map((document, at) => {
    const place = routes.findIndex(
      (route, id) => compareRecency(toRecency(document), { date: dates[id] ?? null, route }) <= 0,
    );
    const before = place === -1 ? routes.length : place;
    return { ...document, id: before - (late.length - at) / (late.length + 1) };
  });
}

function toRecency({ row: [route, , , date] }: LateDocument): {
  date: string | null;
  route: string;
} {
  return { date, route };
}

function recordType(source: Source): string | undefined {
  return source.kind === "record" ? source.record.type : undefined;
}

/** Characters per file of terms and per file of documents: what a query loads at a time. */
const TERM_FILE = 48_000;
const SHOWN_FILE = 16_000;

/** Numbers for values that many documents share: fields, taxonomy values. */
class Numbers {
  readonly #byName = new Map<string, number>();

  of(name: string): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    this.#byName.set(name, this.#byName.size);
    return this.#byName.size - 1;
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
function collectTerms(
  document: SearchDocument,
  fields: Numbers,
  values: Numbers,
): LateDocument["terms"] {
  const found = new Map<string, [number, 0 | 1, Set<number>, Set<number>]>();
  const at = (term: string): [number, 0 | 1, Set<number>, Set<number>] => {
    const known = found.get(term);
    if (known !== undefined) return known;
    const made: [number, 0 | 1, Set<number>, Set<number>] = [0, 0, new Set(), new Set()];
    found.set(term, made);
    return made;
  };
  for (const term of tokenize(document.body)) at(term)[0] += 1;
  for (const term of tokenize(document.title)) at(term)[1] = 1;
  for (const [name, own] of Object.entries(document.taxonomy)) {
    for (const value of own) {
      const number = values.of(`${name}\0${value}`);
      for (const term of tokenize(value)) at(term)[2].add(number);
    }
  }
  for (const [name, text] of Object.entries(document.fields)) {
    const number = fields.of(name);
    for (const term of tokenize(text)) at(term)[3].add(number);
  }
  return [...found].map(([term, [body, title, ofValues, ofFields]]) => [
    term,
    Math.min(body, MAX_BODY_OCCURRENCES),
    title,
    [...ofValues],
    [...ofFields],
  ]);
}

/** Collects documents, numbered in their order, and returns the files. */
class IndexWriter {
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
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const made: Postings = { body: [], title: [], values: [], fields: new Map() };
    this.#terms.set(term, made);
    return made;
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
function addFile(files: Map<string, string>, kind: string, value: unknown): string {
  const text = JSON.stringify(value);
  const hash = sha256(text).slice(0, 12);
  const name = `${kind}-${hash}.json`;
  files.set(name, text);
  return name;
}

/** Returns what a result shows of a document. */
function toShown(document: SearchDocument, type: string | undefined): ShownDocument {
  const { route, title, template, date, taxonomy, body } = document;
  const shown = { route, title, template, date: date ?? "", taxonomy, text: body };
  return type === undefined ? shown : { ...shown, type };
}

/** Returns the filter values of a document. */
function toDocumentRow(document: SearchDocument): DocumentRow {
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
