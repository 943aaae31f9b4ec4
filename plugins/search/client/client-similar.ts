import type { SimilarItem, WordRange } from "../contract.js";
import { compareRecency } from "../query/select.js";
import { MAX_TERM_LENGTH } from "../query/terms.js";
import { findSimilar, type Matching, type SimilarHit } from "../similar/find-similar.js";
import { isCompound } from "../similar/word-parts.js";
import { Synonyms } from "../similar/synonyms.js";
import type { IndexFileHead } from "./format.js";
import type { ClientAnswer, ClientRequest } from "./client-results.js";

/** What similar hits are looked up in: the files of an export. */
export interface SimilarFiles {
  head: IndexFileHead;
  /** Every match of these terms with the filters of the request. */
  find(terms: readonly string[], limit: number): Promise<Matching>;
  words(range: WordRange): Promise<readonly string[]>;
  dates: ReadonlyMap<string, string | null>;
  item(hit: SimilarHit): Promise<SimilarItem>;
}

const MAX_ITEMS = 10;

/** Similar hits as the server finds them, without stems: their package stays on the server. */
export async function similarOf(
  files: SimilarFiles,
  request: ClientRequest & { terms: readonly string[] },
  exact: ClientAnswer,
): Promise<{ similar: SimilarItem[]; didYouMean: string | null }> {
  if (request.terms.length === 0 || request.offset > 0) return { similar: [], didYouMean: null };
  const { typo, lists, main } = files.head.similar;
  const own = lists[request.lang ?? main] ?? lists[""] ?? [];
  const dated = (route: string) => ({ route, date: files.dates.get(route) ?? null });
  const { hits, didYouMean } = await findSimilar(
    {
      typo,
      stem: null,
      synonyms: new Synonyms(own),
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
