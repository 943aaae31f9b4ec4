import type lunr from "lunr";
import { compareUnits } from "#lib/text";
import {
  createPause,
  START_SLICE_MS,
  runInSlices,
  sortInSlices,
  type Pause,
} from "#lib/concurrency";
import type {
  SearchDocument,
  SearchEngine,
  SearchQuery,
  SuggestScope,
  Candidate,
  SearchTools,
  TermMatch,
} from "../../search/contract.js";

type Head = Omit<SearchDocument, "body">;
type Lunr = typeof lunr;
/** Position of a term: the index of a taxonomy value, the name of a custom field, else 0. */
type Position = string | number;
/** Maps term and field to positions, under the key `at`. */
type Positions = Readonly<Record<string, Readonly<Record<string, { at?: readonly Position[] }>>>>;

// Custom fields share one lunr field: lunr does not accept new fields after terms were added.
const lunrFields = ["title", "body", "taxonomy", "fields"];

interface Built {
  readonly index: lunr.Index;
  readonly documents: ReadonlyMap<string, Head>;
  /** Sorted terms of the index, and the routes that contain them. */
  readonly terms: readonly string[];
}

/**
 * The search engine based on lunr. Stemmer, stop words and trimmer are off, because the shared
 * tokeniser provides the terms. A lunr index is immutable, so every update builds a new one.
 */
export function createLunrEngine(tools: SearchTools): SearchEngine {
  let built: Built | null = null;
  const candidates = (query: SearchQuery): Candidate[] => {
    if (!built) return [];
    if (query.terms.length === 0)
      return [...built.documents.values()].map((document) => ({ document, score: 0 }));
    return findMatches(built, query.terms).map(({ document, matches }) => ({
      document,
      score: tools.score(matches, isExact(tools, document, query)),
    }));
  };
  return {
    async build(documents) {
      built = await buildIndex(documents, tools);
    },
    search: (query) => tools.select(candidates(query), query),
    suggest(prefix, limit, scope: SuggestScope = { access: [""], lang: null }) {
      if (!built) return [];
      const find = (term: string): readonly Head[] =>
        built ? findMatches(built, [term], true).map(({ document }) => document) : [];
      return suggestFrom(
        { documents: built.documents.values(), terms: built.terms, find },
        { prefix, limit, scope },
        tools,
      );
    },
    words({ prefix, shortest, longest }) {
      const isMeant = (term: string): boolean =>
        term.startsWith(prefix) && term.length >= shortest && term.length <= longest;
      return built?.terms.filter(isMeant) ?? [];
    },
    explain(query, route) {
      const match =
        built && findMatches(built, query.terms).find(({ document }) => document.route === route);
      return match
        ? tools.explain(query.terms, match.matches, isExact(tools, match.document, query))
        : null;
    },
  };
}

function isExact(tools: SearchTools, document: Head, query: SearchQuery): boolean {
  return tools.normalizeText(document.title) === tools.normalizeText(query.text);
}

async function buildIndex(
  documents: AsyncIterable<SearchDocument>,
  tools: SearchTools,
): Promise<Built> {
  const { default: load } = await import("lunr");
  const heads = new Map<string, Head>();
  const builder = newBuilder(load);
  const pause = createPause(START_SLICE_MS);
  for await (const { body, ...head } of documents) {
    if (heads.has(head.route)) continue;
    heads.set(head.route, head);
    builder.add({ ref: head.route, ...toRow(load, { ...head, body }, tools) });
    await pause();
  }
  return { ...(await finishIndex(load, builder)), documents: heads };
}

function newBuilder(load: Lunr): lunr.Builder {
  const builder = new load.Builder();
  builder.ref("ref");
  // Fields arrive as tokens; lunr's tokenizer would drop their positions.
  Object.assign(builder, { tokenizer: (tokens: readonly lunr.Token[] = []) => tokens });
  for (const field of lunrFields) builder.field(field);
  builder.metadataWhitelist = ["at"];
  return builder;
}

function toRow(
  load: Lunr,
  document: SearchDocument,
  tools: SearchTools,
): Record<string, lunr.Token[]> {
  const tokens = (text: string, at: Position = 0): lunr.Token[] =>
    tools.tokenize(text).map((term) => new load.Token(term, { at }));
  return {
    title: tokens(document.title),
    body: tokens(document.body),
    taxonomy: Object.values(document.taxonomy)
      .flat()
      .flatMap((value, at) => tokens(value, at)),
    fields: Object.entries(document.fields).flatMap(([name, text]) => tokens(text, name)),
  };
}

/** Documents that match one of the terms, with the matches. */
function findMatches(
  { index, documents }: Built,
  terms: readonly string[],
  whole = false,
): { document: Head; matches: (TermMatch | null)[] }[] {
  const wildcard = whole ? 0 : 2;
  const results = index.query((query) => {
    for (const term of terms) query.term(term, { usePipeline: false, wildcard });
  });
  return results.flatMap(({ ref, matchData }) => {
    const document = documents.get(ref);
    // lunr treats `*` in a term as a wildcard, which only adds candidates.
    const matches = terms.map((term) => toMatch(term, matchData.metadata as Positions, whole));
    return document && matches.some((match) => match !== null) ? [{ document, matches }] : [];
  });
}

function toMatch(term: string, found: Positions, whole: boolean): TermMatch | null {
  const isMeant = (indexed: string): boolean =>
    whole ? indexed === term : indexed.startsWith(term);
  const meant = Object.keys(found)
    .filter(isMeant)
    .map((indexed) => found[indexed] ?? {});
  if (meant.length === 0) return null;
  const positions = (field: string): Position[] =>
    meant.flatMap((fields) => fields[field]?.at ?? []);
  return {
    title: positions("title").length > 0,
    body: positions("body").length,
    taxonomy: new Set(positions("taxonomy")).size,
    fields: [...new Set(positions("fields").map(String))],
  };
}

interface TokenSetBuilder {
  readonly root: lunr.TokenSet;
  insert(word: string): void;
  finish(): void;
}

/** The parts of a finished index that are used. */
interface FinishedIndex {
  readonly index: lunr.Index;
  /** Every term, sorted. */
  readonly terms: readonly string[];
}

/**
 * Like `builder.build()`, but in steps of a few milliseconds, since a single step would block the
 * server for seconds. Skips weights: the shared scorer ranks, lunr only finds.
 */
async function finishIndex(load: Lunr, builder: lunr.Builder): Promise<FinishedIndex> {
  const pause = createPause(START_SLICE_MS);
  const words = Object.keys(builder.invertedIndex);
  const terms = await runInSlices(sortInSlices(words, compareUnits), pause);
  const tokenSet = await tokenSetOf(load, terms, pause);
  const fieldVectors = await emptyVectors(load, builder, pause);
  // These three are the slow steps; the rest of `build` is fast.
  Object.assign(builder, {
    calculateAverageFieldLengths: () => undefined,
    createFieldVectors: () => undefined,
    createTokenSet: () => undefined,
    fieldVectors,
    tokenSet,
  });
  return { index: builder.build(), terms };
}

async function tokenSetOf(
  load: Lunr,
  terms: readonly string[],
  pause: Pause,
): Promise<lunr.TokenSet> {
  const Builder: unknown = Reflect.get(load.TokenSet, "Builder");
  if (!isTokenSetBuilder(Builder)) throw new TypeError("lunr has no TokenSet.Builder");
  const set = new Builder();
  for (const term of terms) {
    set.insert(term);
    await pause();
  }
  set.finish();
  return set.root;
}

function isTokenSetBuilder(value: unknown): value is new () => TokenSetBuilder {
  return typeof value === "function";
}

/** lunr requires a vector for each field of each document, which is never used here. */
async function emptyVectors(
  load: Lunr,
  builder: lunr.Builder,
  pause: Pause,
): Promise<Record<string, lunr.Vector>> {
  const empty = new load.Vector([]);
  const vectors: Record<string, lunr.Vector> = Object.create(null) as Record<string, lunr.Vector>;
  const fields: unknown = Reflect.get(builder, "fieldTermFrequencies");
  for (const name of Object.keys(fields ?? {})) {
    vectors[name] = empty;
    await pause();
  }
  return vectors;
}

/** Source of suggestions. */
interface Vocabulary {
  readonly documents: Iterable<Head>;
  /** Sorted. */
  readonly terms: readonly string[];
  /** Documents with exactly this term. */
  find(term: string): readonly Head[];
}

/** A request for suggestions. */
interface SuggestionRequest {
  /** As typed. */
  readonly prefix: string;
  readonly limit: number;
  readonly scope: SuggestScope;
}

/** Matching titles, then terms by the number of documents in scope. */
function suggestFrom(from: Vocabulary, request: SuggestionRequest, tools: SearchTools): string[] {
  const prefix = tools.normalizeText(request.prefix);
  if (prefix.length < 2) return [];
  const { access, lang } = request.scope;
  const inScope = (document: Head): boolean =>
    access.includes(document.access) && (lang === null || [lang, ""].includes(document.lang));
  const titles = new Map<string, string>();
  for (const document of from.documents) {
    const key = tools.normalizeText(document.title);
    if (!key.startsWith(prefix) || titles.has(key) || !inScope(document)) continue;
    if (tools.tokenize(document.title).length > 0) titles.set(key, document.title);
  }
  const suggestions = new Map([...titles].sort(([a], [b]) => (a < b ? -1 : 1)));
  for (const term of termsByFrequency(from, prefix, inScope))
    if (!suggestions.has(term)) suggestions.set(term, term);
  return [...suggestions.values()].slice(0, request.limit);
}

function termsByFrequency(
  from: Vocabulary,
  prefix: string,
  inScope: (document: Head) => boolean,
): string[] {
  return from.terms
    .filter((term) => term.startsWith(prefix))
    .map((term) => ({ term, count: from.find(term).filter(inScope).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
    .map(({ term }) => term);
}
