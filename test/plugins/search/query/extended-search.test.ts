import assert from "node:assert/strict";
import fc from "fast-check";
import type { SearchItem } from "../../../../plugins/search/contract.js";
import { ClientSearch } from "../../../../plugins/search/client/client-search.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { usePostgres } from "../../../support/services.js";

const WORDS = ["green", "greenery", "tea", "teas", "cup", "black", "c", "pot"];
const text = (most: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: most });
const [pages = []] = fc.sample(
  fc.array(fc.tuple(text(2), text(9)), { minLength: 24, maxLength: 24 }),
  {
    seed: 7,
    numRuns: 1,
  },
);
const files = Object.fromEntries(
  pages.map(([title, body], at) => [
    `content/p${at}/default.md`,
    `---\ntitle: ${title.join(" ")}\ntaxonomy: { tag: [${title.join(" ")} ${at}] }\n---\n\n${body.join(" ")}\n`,
  ]),
);
const part = fc.tuple(
  fc.constantFrom("", "", "-"),
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }),
);
const queries = fc
  .sample(
    fc.array(
      part.map(([not, words]) => not + (words.length > 1 ? `"${words.join(" ")}"` : words[0])),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    { seed: 9, numRuns: 40 },
  )
  .map((parts) => parts.join(" "));

/** The routes that a query must find, read off the pages. */
function expected(query: string): string[] {
  const parts = query.match(/-?"[^"]*"|\S+/g) ?? [];
  const isPhrase = (one: string) => one.endsWith('"') && !/^-?"c( c)?"$/.test(one);
  const words = (one: string) =>
    one
      .replace(/[-"]/g, "")
      .split(" ")
      .filter((word) => word !== "c");
  const wanted = parts.filter((one) => !one.startsWith("-")).flatMap(words);
  return pages.flatMap(([title, body], at) => {
    const texts = [title.join(" "), body.join(" "), `${title.join(" ")} ${at}`];
    const has = (one: string) =>
      isPhrase(one)
        ? texts.some((text) => ` ${text} `.includes(` ${one.replace(/[-"]/g, "")} `))
        : words(one).some((word) => texts.some((text) => ` ${text}`.includes(` ${word}`)));
    const isFound =
      wanted.some((word) => texts.some((text) => ` ${text}`.includes(` ${word}`))) &&
      parts.every((one) => (one.startsWith("-") ? !has(one) : !isPhrase(one) || has(one)));
    return isFound ? [`/p${at}`] : [];
  });
}

const outline = ({ total, items }: { total: number; items: readonly SearchItem[] }) => ({
  total,
  hits: items.map(({ route, score }) => [route, score]),
});

describe("search.syntax: extended", function () {
  this.timeout(120_000);
  let url: string;
  let site: TestSite;
  const boot = async (search: Record<string, unknown>): Promise<TestSite> =>
    (site = await bootSite({
      plugins: ["content", "markdown", "search", "search-lunr", "search-postgres", "pages"],
      files,
      env: { SITE_ENV: "production", ...(search["engine"] === "postgres" && { SITE_DB_URL: url }) },
      settings: { system: { search } },
    }));
  const ask = async (query: string) =>
    (await (await site.fetch(`/api/search?limit=50&q=${encodeURIComponent(query)}`)).json()) as {
      total: number;
      items: SearchItem[];
    };
  before(async function () {
    ({ url } = await usePostgres(this));
  });
  afterEach(() => site.close());

  const inEngine: unknown[][] = [];
  for (const engine of ["builtin", "lunr", "postgres"]) {
    it(`finds phrases and leaves out exclusions with ${engine}, like the index of an export`, async () => {
      await boot({ engine, syntax: "extended" });
      const index = await site.site.use("search").exportIndex(null);
      const client = new ClientSearch(async (name) => JSON.parse(index.files.get(name) ?? "null"));
      const filters = { taxonomy: {}, facets: {} };
      const found = [];
      for (const query of queries) {
        const answer = outline(await ask(query));
        const routes = answer.hits.map(([route]) => route).toSorted();
        assert.deepEqual(routes, expected(query).toSorted(), query);
        const request = { text: query, filters, sort: "relevance", limit: 50, offset: 0 } as const;
        assert.deepEqual(outline(await client.search({ ...request, lang: null })), answer, query);
        found.push(answer);
      }
      assert.ok(found.some(({ total }) => total > 0));
      inEngine.push(found);
      assert.deepEqual(found, inEngine[0]);
    });
  }

  it("scores what it leaves like a query of the same words", async () => {
    await boot({ syntax: "extended" });
    for (const query of queries) {
      const { items } = await ask(query);
      const words = (query.match(/-?"[^"]*"|\S+/g) ?? []).filter((one) => !one.startsWith("-"));
      const plain = await ask(words.join(" ").replaceAll('"', ""));
      const scores = new Map(plain.items.map((item) => [item.route, item.score]));
      for (const { route, score } of items) assert.equal(score, scores.get(route), query);
    }
  });

  it("narrows similar hits too, and keeps the quotes of a corrected query", async () => {
    await boot({ syntax: "extended" });
    const response = await site.fetch(
      `/api/search?similar=1&q=${encodeURIComponent('grene -"tea cup"')}`,
    );
    const { similar, didYouMean } = (await response.json()) as {
      similar: SearchItem[];
      didYouMean: string;
    };
    assert.equal(didYouMean, 'green -"tea cup"');
    const left = new Set(expected('green -"tea cup"'));
    assert.ok(similar.length > 0 && similar.every(({ route }) => left.has(route)));
  });

  it("reads quotes and minus signs as punctuation by default", async () => {
    await boot({});
    for (const query of queries.slice(0, 10)) {
      const [typed, words] = [await ask(query), await ask(query.replace(/[-"]/g, ""))];
      assert.deepEqual(typed.items, words.items, query);
    }
  });
});
