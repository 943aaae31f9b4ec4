import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { ExportedIndex, SearchSection } from "../contract.js";
import { accessKey, type Source } from "../index/documents.js";
import { fingerprint } from "../index/index-file.js";
import { compareRecency } from "../query/select.js";
import type { Sources } from "../index/sources.js";
import { normalizeText } from "../query/terms.js";
import type { IndexFileHead, LateDocument } from "./format.js";
import {
  addFile,
  collectTerms,
  IndexWriter,
  Numbers,
  toDocumentRow,
  toShown,
} from "./index-writer.js";

/** The sources of an index. */
export type IndexSources = Pick<Sources, "routes" | "get" | "head" | "shown" | "document">;

/** The settings of search, with the lists of their files. */
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
  const parsed = stateSchema.safeParse(last);
  const state = parsed.success && parsed.data.identity === identity ? parsed.data : null;
  const late = state === null ? null : changesSince(sources, state);
  if (state === null || late === null) return writeAll(sources, section, identity);
  return writeLate(sources, state, late);
}

/** The sources that anonymous visitors may find. */
function openSources(sources: IndexSources): Source[] {
  return [...sources.routes()].flatMap((route) => {
    const source = sources.get(route);
    if (source === undefined) return [];
    return source.kind === "record" || accessKey(source.entry.roles) === "" ? [source] : [];
  });
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
  const prints = new Map(state.routes.map((route, id) => [route, state.prints[id]]));
  const unchanged = new Set<string>();
  const late: Source[] = [];
  for (const source of openSources(sources)) {
    const { route } = sources.shown(source);
    if (prints.get(route) === fingerprint(sources, source)) unchanged.add(route);
    else late.push(source);
  }
  const removed = state.routes.flatMap((route, id) => (unchanged.has(route) ? [] : [id]));
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
  const fields = new Numbers(base.fields);
  const values = new Numbers(state.values);
  const changed: LateDocument[] = [];
  for (const source of late) {
    const document = await sources.document(source);
    changed.push({
      id: 0,
      shown: toShown(document, recordType(source)),
      row: toDocumentRow(document),
      title: normalizeText(document.title),
      terms: collectTerms(document, fields, values),
    });
  }
  const files = new Map<string, string>();
  const name = changed.length === 0 ? null : addFile(files, "late", numbered(changed, state));
  const documents = base.documents - removed.length + changed.length;
  const head = { ...base, documents, removed, late: name, fields: fields.names };
  files.set("index.json", JSON.stringify(head));
  const kept = [...base.terms, ...base.shown].map(([, file]) => file);
  return { files, kept: [...kept, base.rows], state };
}

/** Numbers between those of the next newer and the next older document. */
function numbered(late: readonly LateDocument[], { routes, dates }: State): LateDocument[] {
  const newestFirst = late.toSorted((a, b) => compareRecency(toRecency(a), toRecency(b)));
  return newestFirst.map((document, at) => {
    const next = routes.findIndex(
      (route, id) => compareRecency(toRecency(document), { date: dates[id] ?? null, route }) <= 0,
    );
    const before = next === -1 ? routes.length : next;
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
