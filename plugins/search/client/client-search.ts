import type {
  WordRange,
  SimilarItem,
  Candidate,
  FacetCounts,
  SearchFilters,
  SearchItem,
} from "../contract.js";
import { createPoints, scoreMatches } from "../query/score.js";
import { narrow } from "../query/phrases.js";
import { selectCandidates, compareRecency } from "../query/select.js";
import { hasFilters, parseQuery, type ParsedQuery } from "../query/parse-query.js";
import { normalizeText, MAX_TERM_LENGTH, isCompound } from "../query/terms.js";
import { findSimilar, type Matching, type SimilarHit } from "../similar/find-similar.js";
import { Synonyms } from "../similar/synonyms.js";
import type {
  DocumentRow,
  IndexFileHead,
  LateDocument,
  RowFile,
  ShownDocument,
  TermFile,
} from "./format.js";
import { cutExcerpt } from "../query/excerpt.js";
import { addAll, addFile, addLate, type Matches, toMatch } from "./term-matches.js";

/** Reads a file of the index. */
export type ReadFile = (name: string) => Promise<unknown>;

/** A request whose text is parsed. */
interface TermRequest extends ClientRequest {
  /** The folded words of the text. */
  readonly terms: readonly string[];
}
/** A request whose matches are filtered. */
interface SelectRequest extends TermRequest {
  /** True: documents without a score pass too. */
  readonly isBrowsing: boolean;
}

/** Searches the files of an export: the same words, score and order as on the server. */
export class ClientSearch {
  readonly #read: ReadFile;
  readonly #files = new Map<string, Promise<unknown>>();

  constructor(read: ReadFile) {
    this.#read = read;
  }

  /** The head of the index: page size, facets. */
  head(): Promise<IndexFileHead> {
    return this.#load<IndexFileHead>("index.json");
  }

  async search(request: ClientRequest): Promise<ClientAnswer> {
    const head = await this.head();
    const parsed = parseQuery(request.text, head.syntax);
    const { terms } = parsed;
    const isBrowsing = terms.length === 0 && hasFilters(request.filters);
    if (terms.length === 0 && !isBrowsing) {
      return { total: 0, items: [], facets: {}, hasMore: false };
    }
    const scores = await this.#left(head, parsed, await this.#scores(head, parsed.text, terms));
    const isPlain =
      !hasFilters(request.filters) && request.sort === "relevance" && request.lang === null;
    const selected =
      isPlain && head.facets.length === 0
        ? best(scores, request)
        : await this.#selected(head, scores, { ...request, terms, isBrowsing });
    const items = await Promise.all(
      selected.hits.map(async ({ id, score }) =>
        toItem(await this.#shown(head, id), head, terms, score),
      ),
    );
    const { total, facets } = selected;
    return { total, items, facets, hasMore: request.offset + request.limit < total };
  }

  /** Similar hits beside the exact ones of the same request, as on the server; without stems. */
  async similar(request: ClientRequest, exact: ClientAnswer): ReturnType<typeof findSimilarItems> {
    const head = await this.head();
    const rows = await this.#rows(head);
    const ids = new Map([...rows].map(([id, row]) => [row[0], id]));
    const dates = new Map([...rows.values()].map(([route, , , date]) => [route, date]));
    const parsed = parseQuery(request.text, head.syntax);
    return findSimilarItems(
      {
        head,
        dates,
        words: (range) => this.#words(head, range),
        find: async (terms, limit) => {
          const all = await this.#scores(head, terms.join(" "), terms);
          const matching = await this.#selected(head, await this.#left(head, parsed, all), {
            ...request,
            terms,
            limit,
            isBrowsing: false,
            sort: "relevance",
          });
          const hits = matching.hits.map(({ id, score }) => ({
            route: rows.get(id)?.[0] ?? "",
            score,
          }));
          return { total: matching.total, hits };
        },
        item: async ({ route, score, terms: by, matched }) => {
          const shown = await this.#shown(head, ids.get(route) ?? -1);
          return { ...toItem(shown, head, by, score), matched };
        },
      },
      { ...request, text: parsed.extended?.typed ?? parsed.text, terms: parsed.terms },
      exact,
    );
  }

  /** The scores of the documents that the phrases and exclusions of a query leave. */
  async #left(
    head: IndexFileHead,
    { extended }: ParsedQuery,
    scores: Map<number, number>,
  ): Promise<Map<number, number>> {
    if (extended === null) return scores;
    const find = async (terms: readonly string[]): Promise<number[]> => {
      const all = await this.#scores(head, terms.join(" "), terms);
      return best(all, { offset: 0, limit: all.size }).hits.map(({ id }) => id);
    };
    const texts = async (id: number): Promise<string[]> => {
      const shown = await this.#shown(head, id);
      if (shown === undefined) return [];
      return [shown.title, shown.text, ...Object.values(shown.taxonomy).flat()];
    };
    const { only, except } = await narrow({ find, texts }, extended);
    const [included, excluded] = [only === null ? null : new Set(only), new Set(except)];
    return new Map([...scores].filter(([id]) => included?.has(id) !== false && !excluded.has(id)));
  }

  async #words(
    head: IndexFileHead,
    { prefix, shortest, longest }: WordRange,
  ): Promise<readonly string[]> {
    const files = await this.#termFiles(head, prefix);
    const late = await this.#late(head);
    const all = [...files, ...late].flatMap(({ terms }) => terms.map(([term]) => term));
    const isMeant = (term: string): boolean =>
      term.startsWith(prefix) && term.length >= shortest && term.length <= longest;
    return [...new Set(all.filter(isMeant))];
  }

  /** Applies the server's rules for filters and facets, which need every document. */
  async #selected(
    head: IndexFileHead,
    scores: ReadonlyMap<number, number>,
    request: SelectRequest,
  ): Promise<Found> {
    const rows = await this.#rows(head);
    const { total, hits, facets } = selectCandidates(
      toCandidates(scores, rows, request.isBrowsing),
      { ...request, access: [""], facets: head.facets },
    );
    const ids = new Map([...rows].map(([id, row]) => [row[0], id]));
    const numbered = hits.map(({ route, score }) => ({ id: ids.get(route) ?? -1, score }));
    return { total, facets: facets ?? {}, hits: numbered };
  }

  async #scores(
    head: IndexFileHead,
    text: string,
    terms: readonly string[],
  ): Promise<Map<number, number>> {
    const points = createPoints(head.weights);
    const late = await this.#late(head);
    const removed = new Set(head.removed);
    const normalized = normalizeText(text);
    const exact = new Set<number>();
    const byTerm = await Promise.all(
      terms.map(async (term) => {
        const matches: Matches = new Map();
        for (const file of await this.#termFiles(head, term)) {
          addFile(matches, file, term);
          for (const [title, ids] of file.titles) if (title === normalized) addAll(exact, ids);
        }
        for (const id of removed) matches.delete(id);
        for (const document of late) addLate(matches, document, term);
        return matches;
      }),
    );
    for (const id of removed) exact.delete(id);
    for (const { id, title } of late) if (title === normalized) exact.add(id);
    const scores = new Map<number, number>();
    for (const id of new Set(byTerm.flatMap((matches) => [...matches.keys()]))) {
      const matches = byTerm.map((term) => toMatch(term.get(id), head.fields));
      scores.set(id, scoreMatches(matches, exact.has(id), points));
    }
    return scores;
  }

  /** Returns the files with the words that start with a term. */
  async #termFiles({ terms }: IndexFileHead, term: string): Promise<TermFile[]> {
    const names = terms.flatMap(([first, file], at) => {
      const next = terms[at + 1]?.[0];
      const begins = first <= term || first.startsWith(term);
      return begins && (next === undefined || next > term) ? [file] : [];
    });
    return Promise.all(names.map((name) => this.#load<TermFile>(name)));
  }

  async #rows(head: IndexFileHead): Promise<Map<number, DocumentRow>> {
    const { rows } = await this.#load<RowFile>(head.rows);
    const all = new Map(rows.map((row, id) => [id, row]));
    for (const id of head.removed) all.delete(id);
    for (const { id, row } of await this.#late(head)) all.set(id, row);
    return all;
  }

  async #late({ late }: IndexFileHead): Promise<readonly LateDocument[]> {
    return late === null ? [] : this.#load<LateDocument[]>(late);
  }

  async #shown(head: IndexFileHead, id: number): Promise<ShownDocument | undefined> {
    const late = (await this.#late(head)).find((document) => document.id === id);
    if (late !== undefined) return late.shown;
    const at = head.shown.findLastIndex(([first]) => first <= id);
    const [first, name] = head.shown[at] ?? [0, ""];
    return (await this.#load<ShownDocument[]>(name))[id - first];
  }

  /** The export writes this file beside the script, in the shape that `format.ts` defines. */
  async #load<T>(name: string): Promise<T> {
    const file = this.#files.get(name) ?? this.#read(name);
    this.#files.set(name, file);
    try {
      return (await file) as T;
    } catch (error) {
      this.#files.delete(name);
      throw error;
    }
  }
}

/** The files of an export in which similar hits are found. */
interface SimilarFiles {
  head: IndexFileHead;
  /** Every match of these terms with the filters of the request. */
  find(terms: readonly string[], limit: number): Promise<Matching>;
  words(range: WordRange): Promise<readonly string[]>;
  dates: ReadonlyMap<string, string | null>;
  item(hit: SimilarHit): Promise<SimilarItem>;
}

const MAX_ITEMS = 10;

/** Similar hits as the server finds them, without stems: their package stays on the server. */
async function findSimilarItems(
  files: SimilarFiles,
  request: TermRequest,
  exact: ClientAnswer,
): Promise<{ similar: SimilarItem[]; didYouMean: string | null }> {
  if (request.terms.length === 0 || request.offset > 0) return { similar: [], didYouMean: null };
  const { typo, lists, main } = files.head.similar;
  const synonyms = lists[request.lang ?? main] ?? lists[""] ?? [];
  const dated = (route: string) => ({ route, date: files.dates.get(route) ?? null });
  const { hits, didYouMean } = await findSimilar(
    {
      typo,
      stem: null,
      synonyms: new Synonyms(synonyms),
      find: (terms, limit) => files.find(terms, limit),
      words: (range) => files.words(range),
      compounds: async () =>
        (await files.words({ prefix: "", shortest: 2, longest: MAX_TERM_LENGTH })).filter(
          isCompound,
        ),
      compare: (a, b) => compareRecency(dated(a), dated(b)),
    },
    {
      text: request.text,
      terms: request.terms,
      total: exact.total,
      shown: new Set(exact.items.map(({ route }) => route)),
      limit: Math.min(request.limit, MAX_ITEMS),
    },
  );
  return { similar: await Promise.all(hits.map((hit) => files.item(hit))), didYouMean };
}

/** A query from the search page of an export. */
export interface ClientRequest {
  text: string;
  filters: SearchFilters;
  sort: "relevance" | "date";
  limit: number;
  offset: number;
  /** Null: every language. */
  lang: string | null;
}
/** The result, in the format of the server's API. */
export interface ClientAnswer {
  total: number;
  items: SearchItem[];
  facets: FacetCounts;
  hasMore: boolean;
}
/** Matching documents by number. */
export interface Found {
  total: number;
  facets: FacetCounts;
  hits: readonly { id: number; score: number }[];
}

/** Equal scores are ordered newest first, which is also the order of document numbers. */
export function best(
  scores: ReadonlyMap<number, number>,
  { offset, limit }: Pick<ClientRequest, "offset" | "limit">,
): Found {
  const hits = [...scores]
    .map(([id, score]) => ({ id, score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.id - b.id);
  return { total: hits.length, facets: {}, hits: hits.slice(offset, offset + limit) };
}

/** The documents that filters select from. */
export function* toCandidates(
  scores: ReadonlyMap<number, number>,
  rows: ReadonlyMap<number, DocumentRow>,
  isBrowsing: boolean,
): Generator<Candidate> {
  for (const [id, row] of rows) {
    const score = scores.get(id) ?? 0;
    if (score === 0 && !isBrowsing) continue;
    const [route, lang, template, date, taxonomy, facets] = row;
    const document = { route, lang, template, date, taxonomy, facets };
    yield { score, document: { ...document, title: "", fields: {}, access: "" } };
  }
}

/** A result, as the API returns it. */
export function toItem(
  shown: ShownDocument | undefined,
  head: IndexFileHead,
  terms: readonly string[],
  score: number,
): SearchItem {
  const { text, ...item } = shown ?? NOTHING;
  const { highlight, excerptLength: length } = head;
  const cut = cutExcerpt(text, { terms, length, highlight });
  const result = { ...item, score, excerpt: cut.html };
  return highlight ? { ...result, highlights: cut.highlights } : result;
}

const NOTHING: ShownDocument = {
  route: "/",
  title: "",
  template: "",
  date: "",
  taxonomy: {},
  text: "",
};
