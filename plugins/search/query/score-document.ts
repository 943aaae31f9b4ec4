/** The score of one document, read word by word. */
import type { SearchDocument, SearchQuery, SearchTools, TermMatch } from "../contract.js";

type Words = readonly string[];

/** The score of a document as engines have it; 0 when it does not match. */
export function scoreDocument(
  document: SearchDocument,
  { terms, text }: Pick<SearchQuery, "terms" | "text">,
  tools: Pick<SearchTools, "tokenize" | "normalizeText" | "score">,
): number {
  const words = {
    title: tools.tokenize(document.title),
    taxonomy: Object.values(document.taxonomy).flat().map(tools.tokenize),
    body: tools.tokenize(document.body),
    fields: Object.entries(document.fields).map(
      ([name, value]) => [name, tools.tokenize(value)] as const,
    ),
  };
  const matches = terms.map((term): TermMatch | null => {
    const title = countOf(words.title, term) > 0;
    const taxonomy = words.taxonomy.filter((value) => countOf(value, term) > 0).length;
    const body = countOf(words.body, term);
    const fields = words.fields.flatMap(([name, value]) => (countOf(value, term) > 0 ? name : []));
    const isFound = title || taxonomy > 0 || body > 0 || fields.length > 0;
    return isFound ? { title, taxonomy, body, fields } : null;
  });
  if (matches.every((match) => match === null)) return 0;
  const isTitle = tools.normalizeText(document.title) === tools.normalizeText(text);
  return tools.score(matches, isTitle);
}

function countOf(words: Words, term: string): number {
  return words.filter((word) => word.startsWith(term)).length;
}
