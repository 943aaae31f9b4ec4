import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import fc from "fast-check";
import type {
  ExportedIndex,
  SearchDocument,
  SearchSection,
} from "../../../../plugins/search/contract.js";
import { ClientSearch } from "../../../../plugins/search/client/client-search.js";
import { exportIndex } from "../../../../plugins/search/client/export-index.js";
import { toQuery } from "../../../../plugins/search/testing/engine-suite.js";
import { buildSearchScript, searchScript } from "../../../../scripts/browser-search.mjs";
import { indexSources } from "../../../support/content/index-sources.js";
import { naiveSearch } from "../../../support/oracles/naive-search.js";
import { arbitraryCorpus, arbitraryQuery } from "../../../support/content/search-corpora.js";

const section: SearchSection = {
  customFields: [],
  highlight: true,
  excerpt_length: 80,
  include_flex: [],
  facets: [{ field: "colour" }],
  fields: { title: { weight: 4 }, note: { weight: 0.5 } },
  page_size: null,
  engine: "builtin",
  timeout_ms: 1000,
  analytics_max_mb: 1,
  syntax: "plain",
  similar: { typo: true, synonyms: "search/synonyms.yaml", stemming: false },
};
const weights = { title: 4, note: 0.5 };

/** The files on a host: those of an export over those of the last one. */
function searchOf(...indexes: ExportedIndex[]): ClientSearch {
  const files = new Map(indexes.flatMap(({ files: written }) => [...written]));
  return new ClientSearch(async (name) => {
    const text = files.get(name);
    if (text === undefined) throw new Error(`there is no ${name}`);
    return JSON.parse(text);
  });
}

async function assertLikeServer(
  search: ClientSearch,
  documents: readonly SearchDocument[],
  query: ReturnType<typeof toQuery>,
): Promise<void> {
  const asked = { ...query, access: [""] };
  const { text, filters, sort, limit, offset, lang } = query;
  const answer = await search.search({ text, filters, sort, limit, offset, lang });
  const isAsked = query.terms.length > 0 || hasFilter(query);
  const expected = isAsked
    ? naiveSearch(documents, asked, weights)
    : { total: 0, hits: [], facets: {} };
  assert.deepEqual(answer.facets, expected.facets);
  assert.deepEqual(
    { total: answer.total, hits: answer.items.map(({ route, score }) => [route, score]) },
    { total: expected.total, hits: expected.hits.map(({ route, score }) => [route, score]) },
  );
}

function hasFilter({ filters }: ReturnType<typeof toQuery>): boolean {
  const { taxonomy, facets, template, from, to } = filters;
  const given = [template, from, to].some((value) => value !== undefined);
  return given || Object.keys(taxonomy).length + Object.keys(facets).length > 0;
}

describe("search on a static export", () => {
  it("finds the same as the default search, in the same order, with the same scores", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCorpus, arbitraryQuery, async (documents, query) => {
        const index = await exportIndex(indexSources(documents), section, null);
        await assertLikeServer(searchOf(index), documents, query);
      }),
      { numRuns: 300 },
    );
  });

  it("finds the same after a change as in a new index", async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryCorpus,
        arbitraryCorpus,
        arbitraryQuery,
        async (before, others, query) => {
          const first = await exportIndex(indexSources(before), section, null);
          // Some pages were changed, some deleted, some added.
          const kept = before.filter((_document, at) => at % 3 !== 0);
          const routes = new Set(kept.map(({ route }) => route));
          const documents = [...kept, ...others.filter(({ route }) => !routes.has(route))];
          const state: unknown = JSON.parse(JSON.stringify(first.state));
          const second = await exportIndex(indexSources(documents), section, state);
          for (const name of second.kept) assert.ok(first.files.has(name));
          await assertLikeServer(searchOf(first, second), documents, query);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("writes a file for changes, and keeps the large files", async () => {
    const documents = Array.from({ length: 100 }, (_, at) => page(`/p${at}`, `word${at} common`));
    const first = await exportIndex(indexSources(documents), section, null);
    const changed = documents.map((one, at) => (at === 7 ? page("/p7", "changed text") : one));
    const second = await exportIndex(indexSources(changed), section, first.state);
    assert.deepEqual([...second.files.keys()].map((name) => name.replace(/-.*/, "")).sort(), [
      "index.json",
      "late",
    ]);
    assert.equal(second.kept.length, first.files.size - 1);
  });

  it("rebuilds everything after many changes, or with other settings", async () => {
    const documents = Array.from({ length: 100 }, (_, at) => page(`/p${at}`, "text"));
    const first = await exportIndex(indexSources(documents), section, null);
    const others = documents.map(({ route }) => page(route, "another text"));
    assert.deepEqual((await exportIndex(indexSources(others), section, first.state)).kept, []);
    const heavier = { ...section, fields: { title: { weight: 9 } } };
    assert.deepEqual((await exportIndex(indexSources(documents), heavier, first.state)).kept, []);
  });

  it("splits terms and texts into files, and loads the few that a query needs", async () => {
    const letters = "abcdefghijklmnopqrstuvwxyz".split("");
    const documents = Array.from({ length: 400 }, (_, at) =>
      page(`/p${at}`, letters.map((letter) => `${letter}${letter}word${at}x`).join(" ")),
    );
    const index = await exportIndex(indexSources(documents), { ...section, facets: [] }, null);
    const loaded: string[] = [];
    const search = new ClientSearch(async (name) => {
      loaded.push(name);
      return JSON.parse(index.files.get(name) ?? "null");
    });
    const asked = { ...toQuery("kkword17x"), limit: 5 };
    const { items } = await search.search(asked);
    assert.deepEqual(
      items.map(({ route }) => route),
      ["/p17"],
    );
    assert.ok(index.files.size > 20, `${index.files.size} files`);
    assert.ok(loaded.length <= 4, loaded.join(", "));
  });

  it("excludes gated pages from every file", async () => {
    const secret = { ...page("/members", "canary"), access: '{"all":["member"],"any":[]}' };
    const index = await exportIndex(indexSources([page("/open", "text"), secret]), section, null);
    const text = JSON.stringify([...index.files, index.state]);
    assert.doesNotMatch(text, /canary|\/members/);
  });

  it("returns nothing without words, and marks matched words", async () => {
    const index = await exportIndex(
      indexSources([page("/a", "one <b>marked</b> word & more")]),
      section,
      null,
    );
    const search = searchOf(index);
    assert.equal((await search.search(toQuery(" . "))).total, 0);
    const [item] = (await search.search(toQuery("word"))).items;
    assert.equal(item?.excerpt, "one &lt;b&gt;marked&lt;/b&gt; <mark>word</mark> &amp; more");
    assert.deepEqual(item?.highlights, ["word"]);
  });

  it("finds parts of words beside exact hits, as the server does", async () => {
    const documents = [page("/a", "an art school"), page("/b", "a state-of-the-art kiln")];
    const search = searchOf(await exportIndex(indexSources(documents), section, null));
    const { access: _access, ...request } = toQuery("art");
    const exact = await search.search(request);
    assert.deepEqual(
      exact.items.map(({ route }) => route),
      ["/a"],
    );
    const { similar } = await search.similar(request, exact);
    assert.deepEqual(
      similar.map(({ route, matched }) => [route, matched]),
      [["/b", "part"]],
    );
  });

  it("throws when a file is missing, and retries the next time", async () => {
    const index = await exportIndex(indexSources([page("/a", "word")]), section, null);
    const state = { isBroken: true };
    const search = new ClientSearch(async (name) => {
      if (state.isBroken && name.startsWith("terms")) throw new Error("offline");
      return JSON.parse(index.files.get(name) ?? "null");
    });
    await assert.rejects(search.search(toQuery("word")), /offline/);
    state.isBroken = false;
    assert.equal((await search.search(toQuery("word"))).total, 1);
  });
});

describe("plugins/search/assets/search.js", () => {
  it("equals the output of node scripts/browser-search.mjs", async () => {
    assert.equal(await readFile(searchScript, "utf8"), await buildSearchScript());
  });

  it("only uses what browsers provide", async () => {
    assert.doesNotMatch(await buildSearchScript(), /\b(?:Buffer|process|require)\b|node:/);
  });
});

function page(route: string, body: string): SearchDocument {
  return {
    route,
    title: `Title ${route}`,
    body,
    fields: {},
    template: "default",
    date: null,
    taxonomy: {},
    lang: "en",
    facets: {},
    access: "",
  };
}
