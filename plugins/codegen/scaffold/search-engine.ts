import type { SearchDocument, SearchEngine, SearchTools, TermMatch } from "sitewright/plugins";

type Kept = Omit<SearchDocument, "body"> & { words: Record<string, string[]>; topics: string[][] };

/** A search engine that reads every document for every query: correct, but slow for many documents. */
export function createEngine(tools: SearchTools): SearchEngine {
  let documents: Kept[] = [];
  const isExact = (title: string, text: string): boolean =>
    tools.normalizeText(title) === tools.normalizeText(text);
  return {
    async build(stream) {
      const next = new Map<string, Kept>();
      for await (const document of stream) {
        if (!next.has(document.route)) next.set(document.route, keep(document, tools));
      }
      documents = [...next.values()];
    },
    search(query) {
      const candidates = documents.map((document) => {
        const matches = query.terms.map((term) => findMatch(document, term));
        return { document, score: tools.score(matches, isExact(document.title, query.text)) };
      });
      return tools.select(candidates, query);
    },
    suggest(prefix, limit, { access, lang } = { access: [""], lang: null }) {
      const start = tools.normalizeText(prefix);
      if (start.length < 2) return [];
      // Records of flex objects have no language and match every language.
      const isOfLanguage = (document: Kept): boolean =>
        lang === null || document.lang === "" || document.lang === lang;
      const mayBeSeen = (document: Kept): boolean =>
        access.includes(document.access) && isOfLanguage(document);
      const titles = new Map<string, string>();
      const counts = new Map<string, number>();
      for (const document of documents.filter(mayBeSeen)) {
        const title = tools.normalizeText(document.title);
        if (title.startsWith(start) && !titles.has(title)) titles.set(title, document.title);
        const words = new Set([...Object.values(document.words), ...document.topics].flat());
        for (const word of words)
          if (word.startsWith(start)) counts.set(word, (counts.get(word) ?? 0) + 1);
      }
      const words = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
      return [
        ...[...titles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, title]) => title),
        ...words.map(([word]) => word).filter((word) => !titles.has(word)),
      ].slice(0, limit);
    },
  };
}

function keep({ body, ...document }: SearchDocument, tools: SearchTools): Kept {
  const texts = { ...document.fields, " title": document.title, " body": body };
  const words = Object.entries(texts).map(([name, text]) => [name, tools.tokenize(text)] as const);
  const topics = Object.values(document.taxonomy).flat();
  return {
    ...document,
    words: Object.fromEntries(words),
    topics: topics.map((topic) => tools.tokenize(topic)),
  };
}

/** The position of a term, also as a word prefix; null when not found. */
function findMatch({ words, topics }: Kept, term: string): TermMatch | null {
  const begins = (word: string): boolean => word.startsWith(term);
  const match = {
    title: (words[" title"] ?? []).some(begins),
    body: (words[" body"] ?? []).filter(begins).length,
    taxonomy: topics.filter((topic) => topic.some(begins)).length,
    fields: Object.keys(words).filter((name) => !name.startsWith(" ") && words[name]?.some(begins)),
  };
  const isNowhere = !match.title && match.body + match.taxonomy + match.fields.length === 0;
  return isNowhere ? null : match;
}
