import Database from "better-sqlite3";
import { create, insert, remove, search as oramaSearch } from "@orama/orama";
import FlexSearch from "flexsearch";
import lunr from "lunr";
import MiniSearch from "minisearch";
import type { SearchDocument, SearchEngine, SearchQuery } from "../../plugins/search/contract.js";
import { createBuiltinEngine } from "../../plugins/search/engines/builtin/builtin-engine.js";
import { cutExcerpt } from "../../plugins/search/query/excerpt.js";
import { createLunrEngine } from "../../plugins/search-lunr/engines/lunr.js";
import { createPoints, createSearchTools } from "../../plugins/search/query/score.js";
import { queryTerms } from "../../plugins/search/query/terms.js";
import type { CorpusPage } from "../support/corpus.js";
import { ReferenceIndex } from "./reference-engine.js";

const shown = 20;

/** An engine as used by the bench; `search` returns the number of matches if known. */
export interface Contender {
  build(pages: readonly CorpusPage[]): Promise<void>;
  search(query: string): number | Promise<number>;
  /** Changes one page; absent if a change needs a new build. */
  update?(page: CorpusPage): void | Promise<void>;
}
/** Factories by name. `-full` also filters by date, counts two facets and cuts excerpts. */
export const contenders: Readonly<Record<string, () => Contender>> = {
  ref: () => reference(false),
  builtin: () => builtin(false),
  "ref-full": () => reference(true),
  "builtin-full": () => builtin(true),
  minisearch,
  flexsearch,
  fts5,
  orama,
  lunr: lunrIndex,
  "search-lunr": () => ofEngine(createLunrEngine(createSearchTools({})), false),
  naive,
};

function toDocument(page: CorpusPage): SearchDocument {
  const { route, title, body, date } = page;
  return {
    route,
    title,
    body,
    date,
    fields: {},
    template: "default",
    lang: "en",
    access: "",
    taxonomy: { tag: page.tags },
    facets: { "taxonomy.tag": page.tags, section: [page.section] },
  };
}

async function* stream(pages: readonly CorpusPage[]): AsyncGenerator<SearchDocument> {
  for (const page of pages) yield toDocument(page);
}

function builtin(full: boolean): Contender {
  const engine = createBuiltinEngine(createPoints({}));
  return {
    ...ofEngine(engine, full),
    update: (page) => engine.update({ upsert: [toDocument(page)], remove: [] }),
  };
}

/** A first-party engine, called like the service does. */
function ofEngine(engine: SearchEngine, full: boolean): Contender {
  const texts = new Map<string, string>();
  const facets = full ? ["taxonomy.tag", "section"] : [];
  const filters = { taxonomy: {}, facets: {}, ...(full && { from: "2016-01-01" }) };
  return {
    async build(pages) {
      await engine.build(stream(pages));
      if (full) for (const page of pages) texts.set(page.route, page.body);
    },
    search(text) {
      const terms = queryTerms(text);
      const query: SearchQuery = {
        text,
        terms,
        filters,
        facets,
        sort: "relevance",
        limit: shown,
        offset: 0,
        lang: null,
        access: [""],
      };
      const result = engine.search(query);
      if (result instanceof Promise) throw new TypeError("our engines answer at once");
      if (full)
        for (const hit of result.hits)
          cutExcerpt(texts.get(hit.route) ?? "", { terms, length: 160, highlight: true });
      return result.total;
    },
  };
}

function reference(full: boolean): Contender {
  const index = new ReferenceIndex();
  let pages: readonly CorpusPage[] = [];
  return {
    async build(corpus) {
      index.build(corpus);
      if (full) pages = corpus;
    },
    search(query) {
      if (!full) return index.search(query, shown).total;
      return referenceFull(index, pages, query);
    },
  };
}

/** Filter by date, two facets, and an excerpt by a plain scan for the first match. */
function referenceFull(
  index: ReferenceIndex,
  corpus: readonly CorpusPage[],
  query: string,
): number {
  const found = index.search(query, corpus.length > 0 ? shown : 0);
  const counts = [new Map<string, number>(), new Map<string, number>()] as const;
  let total = 0;
  for (const at of found.pages) {
    const page = corpus[at];
    if (!page || page.date < "2016-01-01") continue;
    total += 1;
    for (const tag of page.tags) counts[0].set(tag, (counts[0].get(tag) ?? 0) + 1);
    counts[1].set(page.section, (counts[1].get(page.section) ?? 0) + 1);
  }
  const terms = query.toLowerCase().split(" ");
  for (const hit of found.hits) plainExcerpt(corpus[hit.page]?.body ?? "", terms);
  return total;
}

/** Finds all matches with one pattern; returns the window with the most of them, escaped and marked. */
function plainExcerpt(body: string, terms: readonly string[]): string {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join("|")})[\\p{L}\\p{N}]*`, "giu");
  const places = [...body.matchAll(pattern)].map((match) => match.index);
  let [best, most, first] = [0, 0, 0];
  places.forEach((place, last) => {
    while ((places[first] ?? place) < place - 160) first += 1;
    if (last - first + 1 > most) [best, most] = [places[first] ?? 0, last - first + 1];
  });
  const start = Math.max(0, best - 20);
  return body
    .slice(start, start + 160)
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(pattern, "<mark>$&</mark>");
}

function naive(): Contender {
  let corpus: readonly CorpusPage[] = [];
  return {
    build: async (pages) => void (corpus = pages),
    search(query) {
      const terms = queryTerms(query);
      let total = 0;
      for (const { title, body, tags } of corpus) {
        const text = `${title} ${body} ${tags.join(" ")}`.toLowerCase().split(/\s+/);
        if (terms.some((term) => text.some((word) => word.startsWith(term)))) total += 1;
      }
      return total;
    },
  };
}

function minisearch(): Contender {
  const index = new MiniSearch<CorpusPage>({
    idField: "route",
    fields: ["title", "body", "tags"],
    extractField: (page, field) =>
      field === "tags" ? page.tags.join(" ") : String(page[field as keyof CorpusPage]),
  });
  return {
    build: async (pages) => index.addAll([...pages]),
    search: (query) => index.search(query, { prefix: true, boost: { title: 3, tags: 2 } }).length,
    update: (page) => index.replace(page),
  };
}

function flexsearch(): Contender {
  const index = new FlexSearch.Document({
    document: { id: "route", index: ["title", "body"] },
    tokenize: "strict",
  });
  const row = (page: CorpusPage): { route: string; title: string; body: string } => ({
    route: page.route,
    title: page.title,
    body: page.body,
  });
  return {
    build: async (pages) => {
      for (const page of pages) index.add(row(page));
    },
    search: (query) => index.search(query, { limit: shown, suggest: true }).length,
    update: (page) => void index.update(row(page)),
  };
}

function fts5(): Contender {
  const db = new Database(":memory:");
  db.exec(
    "create virtual table pages using fts5(route unindexed, title, body, tags, prefix='2 3')",
  );
  const add = db.prepare("insert into pages values (?, ?, ?, ?)");
  const find = db.prepare(
    "select route, bm25(pages, 0, 3, 1, 2) as score from pages where pages match ? order by score limit 20",
  );
  const count = db.prepare("select count(*) as total from pages where pages match ?");
  const drop = db.prepare("delete from pages where rowid = ?");
  const rows = new Map<string, number | bigint>();
  const put = (page: CorpusPage): void =>
    void rows.set(
      page.route,
      add.run(page.route, page.title, page.body, page.tags.join(" ")).lastInsertRowid,
    );
  return {
    build: async (pages) => db.transaction(() => pages.forEach(put))(),
    search(query) {
      const match = query
        .split(" ")
        .map((word) => `"${word}"*`)
        .join(" OR ");
      find.all(match);
      return (count.get(match) as { total: number }).total;
    },
    update(page) {
      drop.run(rows.get(page.route));
      put(page);
    },
  };
}

function orama(): Contender {
  const index = create({ schema: { title: "string", body: "string", tags: "string[]" } as const });
  const put = (page: CorpusPage): unknown =>
    insert(index, { id: page.route, title: page.title, body: page.body, tags: [...page.tags] });
  return {
    async build(pages) {
      for (const page of pages) await put(page);
    },
    async search(query) {
      return (await oramaSearch(index, { term: query, limit: shown, boost: { title: 3, tags: 2 } }))
        .count;
    },
    async update(page) {
      await remove(index, page.route);
      await put(page);
    },
  };
}

function lunrIndex(): Contender {
  let index: lunr.Index | null = null;
  return {
    async build(pages) {
      index = lunr((builder) => {
        builder.ref("route");
        builder.field("title", { boost: 3 });
        builder.field("body");
        builder.pipeline.reset();
        builder.searchPipeline.reset();
        for (const page of pages) builder.add(page);
      });
    },
    search(query) {
      return (
        index?.query((q) =>
          query
            .split(" ")
            .forEach((term) => q.term(term, { wildcard: lunr.Query.wildcard.TRAILING })),
        ).length ?? 0
      );
    },
  };
}
