import type lunr from "lunr";
import type {
  SearchDocument,
  SearchEngine,
  SearchQuery,
  SuggestScope,
  Candidate,
  SearchTools,
  TermMatch,
} from "../../search/contract.js";
import { createPause } from "../slices.js";
import { suggestFrom } from "../suggest.js";
import { finishIndex } from "./lunr-index.js";

type Head = Omit<SearchDocument, "body">;
type Lunr = typeof lunr;
/** Where a term stands: in taxonomies the number of the value, in further fields their name, else 0. */
type Place = string | number;
/** Term to field to the places under the key `at`. */
type Places = Readonly<Record<string, Readonly<Record<string, { at?: readonly Place[] }>>>>;

// Further fields are one to lunr: it takes no field that comes up when terms have been added.
const lunrFields = ["title", "body", "taxonomy", "fields"];

interface Built {
  readonly index: lunr.Index;
  readonly documents: ReadonlyMap<string, Head>;
  /** Sorted terms of the index with the routes that have them. */
  readonly terms: readonly string[];
}

/**
 * The search engine over lunr. Stemmer, stop words and trimmer are off: terms are those of the
 * shared tokeniser. A lunr index cannot change, so an update of the tree builds a new one.
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
    explain(query, route) {
      const found =
        built && findMatches(built, query.terms).find(({ document }) => document.route === route);
      return found
        ? tools.explain(query.terms, found.matches, isExact(tools, found.document, query))
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
  const pause = createPause();
  for await (const { body, ...head } of documents) {
    if (heads.has(head.route)) continue;
    heads.set(head.route, head);
    builder.add({ ref: head.route, ...rowOf(load, { ...head, body }, tools) });
    if (pause.isDue()) await pause.next();
  }
  return { ...(await finishIndex(load, builder)), documents: heads };
}

function newBuilder(load: Lunr): lunr.Builder {
  const builder = new load.Builder();
  builder.ref("ref");
  // Fields arrive as tokens; lunr's own tokenizer would make new ones without their places.
  Object.assign(builder, { tokenizer: (tokens: readonly lunr.Token[] = []) => tokens });
  for (const field of lunrFields) builder.field(field);
  builder.metadataWhitelist = ["at"];
  return builder;
}

function rowOf(
  load: Lunr,
  document: SearchDocument,
  tools: SearchTools,
): Record<string, lunr.Token[]> {
  const tokens = (text: string, at: Place = 0): lunr.Token[] =>
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

/** Documents that one of the terms matches, with what matched. */
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
    // A `*` inside a query term is a wildcard to lunr: it only widens the candidates.
    const matches = terms.map((term) => matchOf(term, matchData.metadata as Places, whole));
    return document && matches.some((match) => match !== null) ? [{ document, matches }] : [];
  });
}

function matchOf(term: string, found: Places, whole: boolean): TermMatch | null {
  const isMeant = (indexed: string): boolean =>
    whole ? indexed === term : indexed.startsWith(term);
  const meant = Object.keys(found)
    .filter(isMeant)
    .map((indexed) => found[indexed] ?? {});
  if (meant.length === 0) return null;
  const places = (field: string): Place[] => meant.flatMap((fields) => fields[field]?.at ?? []);
  return {
    title: places("title").length > 0,
    body: places("body").length,
    taxonomy: new Set(places("taxonomy")).size,
    fields: [...new Set(places("fields").map(String))],
  };
}
