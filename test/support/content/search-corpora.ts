import assert from "node:assert/strict";
import fc from "fast-check";
import type {
  SearchDocument,
  SearchQuery,
  SearchResult,
} from "../../../plugins/search/contract.js";
import { toQuery } from "../../../plugins/search/testing/engine-suite.js";

const words = [
  "ant",
  "ants",
  "antler",
  "Ante",
  "bo",
  "BOAT",
  "boats",
  "b",
  "café",
  "cafes",
  "to",
  "the",
  "the,",
  "(that)",
  "don't",
  "мир",
  "мира",
  "東京",
  "__proto__",
  "constructor",
  "a.b",
];
const text = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...words), { maxLength: most }).map((parts) => parts.join(" "));
const values = fc.uniqueArray(
  text(2).filter((value) => value !== ""),
  { maxLength: 3 },
);
const date = fc.constantFrom(null, "2023-12-31", "2024-01-01", "2024-01-02");

/** Small corpora with few words, for many ties and overlaps; routes `/d0`, `/d1`, … */
export const arbitraryCorpus: fc.Arbitrary<SearchDocument[]> = fc
  .array(
    fc.record({
      title: text(3),
      body: text(14),
      fields: fc.record(
        { note: text(3), template: fc.constantFrom("default", "post", "ant") },
        { requiredKeys: ["template"] },
      ),
      template: fc.constantFrom("default", "post"),
      date,
      taxonomy: fc.dictionary(fc.constantFrom("tag", "category", "constructor"), values, {
        noNullPrototype: true,
      }),
      lang: fc.constantFrom("en", "de"),
      facets: fc.dictionary(fc.constantFrom("colour", "__proto__"), values, {
        noNullPrototype: true,
      }),
      access: fc.constantFrom("", "", "member"),
    }),
    { maxLength: 12 },
  )
  .map((documents) => documents.map((document, at) => ({ ...document, route: `/d${at}` })));

const prefixes = [...words, "an", "boa", "th", "ca", "don", "co", "x"];

/** Queries with words of `arbitraryCorpus` and any filters. */
export const arbitraryQuery: fc.Arbitrary<SearchQuery> = fc
  .record({
    words: fc.array(fc.constantFrom(...prefixes), { maxLength: 4 }),
    template: fc.option(fc.constantFrom("default", "post"), { nil: undefined }),
    from: fc.option(fc.constantFrom("2023-01-01", "2024-01-01"), { nil: undefined }),
    to: fc.option(fc.constantFrom("2023-12-31", "2024-01-01"), { nil: undefined }),
    taxonomy: fc.dictionary(
      fc.constantFrom("tag", "constructor"),
      fc.array(text(1), { minLength: 1, maxLength: 2 }),
      { maxKeys: 1, noNullPrototype: true },
    ),
    facets: fc.dictionary(
      fc.constant("colour"),
      fc.array(text(1), { minLength: 1, maxLength: 2 }),
      { noNullPrototype: true },
    ),
    sort: fc.constantFrom("relevance" as const, "date" as const),
    lang: fc.constantFrom(null, null, "en"),
    access: fc.constantFrom([""], ["", "member"]),
    offset: fc.nat(4),
    limit: fc.integer({ min: 1, max: 12 }),
  })
  .map(({ words: typed, template, from, to, taxonomy, facets, ...rest }) =>
    toQuery(typed.join(" "), {
      ...rest,
      facets: ["colour"],
      filters: {
        taxonomy,
        facets,
        ...(template && { template }),
        ...(from && { from }),
        ...(to && { to }),
      },
    }),
  );

/** Equal hits in the same order with equal scores, total and counts. */
export function assertSameAnswer(actual: SearchResult, expected: SearchResult): void {
  assert.deepEqual(
    {
      hits: actual.hits.map(({ route, score }) => [route, score]),
      total: actual.total,
      facets: actual.facets,
    },
    {
      hits: expected.hits.map(({ route, score }) => [route, score]),
      total: expected.total,
      facets: expected.facets,
    },
  );
}
