import type { SearchQuery } from "../contract.js";
import { toQuery } from "./sample-queries.js";

/** Filters of a query, what is left out empty. */
export const filtered = (filters: Partial<SearchQuery["filters"]>): Partial<SearchQuery> => ({
  filters: { taxonomy: {}, facets: {}, ...filters },
});

/** Queries over the sample pages, with the routes and scores that every engine gives them. */
export const rankings: readonly (readonly [
  title: string,
  query: SearchQuery,
  expected: [string, number][],
])[] = [
  [
    "scores title 3, taxonomy 2, body 1 each up to 5, further fields 1, an exact title 5",
    toQuery("apple"),
    [
      ["/apple-pie", 11],
      ["/apple", 9],
      ["/orchard", 3],
    ],
  ],
  [
    "multiplies by 1.5 when several terms all match",
    toQuery("apple pie"),
    [
      ["/apple-pie", 30],
      ["/apple", 4],
      ["/orchard", 3],
    ],
  ],
  ["matches indexed terms a query term is a prefix of", toQuery("orch"), [["/orchard", 3]]],
  ["does not match inside words", toQuery("rchard"), []],
  ["folds case and accents", toQuery("CREME"), [["/creme", 3]]],
  ["finds words of any script", toQuery("Привет"), [["/hello", 1]]],
  ["finds digits", toQuery("2024"), [["/hello", 1]]],
  [
    "puts newer pages first among equal scores, then routes",
    toQuery("tied"),
    tied(["new", "a", "b", "undated"]),
  ],
  [
    "sorts by date, undated last",
    toQuery("tied hello", { sort: "date" }),
    [...tied(["new", "a", "b"]), ["/hello", 3], ["/tie/undated", 3]],
  ],
  ["slices by offset and limit", toQuery("tied", { offset: 1, limit: 2 }), tied(["a", "b"])],
  ["filters by template", toQuery("tied", filtered({ template: "post" })), tied(["new"])],
  [
    "filters by date range, leaving undated pages out",
    toQuery("tied", filtered({ from: "2024-01-01", to: "2024-12-31" })),
    tied(["a", "b"]),
  ],
  [
    "filters by taxonomy, one of the values",
    toQuery("tied", filtered({ taxonomy: { tag: ["red", "none"] } })),
    tied(["new", "b"]),
  ],
  ["filters by facet", toQuery("tied", filtered({ facets: { colour: ["blue"] } })), tied(["a"])],
  ["filters by language", toQuery("tied", { lang: "de" }), []],
  ["finds in each language what has none", toQuery("anywhere", { lang: "de" }), [["/anywhere", 8]]],
  [
    "lists what passes the filters by date when there are no terms",
    toQuery("", filtered({ taxonomy: { tag: ["red"] } })),
    [
      ["/tie/new", 0],
      ["/tie/b", 0],
    ],
  ],
  [
    "knows `__proto__` and `constructor` as plain names",
    toQuery("tied", filtered({ taxonomy: { constructor: ["x"], ["__proto__"]: ["x"] } })),
    [],
  ],
  [
    "takes regular expressions as text",
    toQuery("(a+)+$ [ \\ .* tied"),
    tied(["new", "a", "b", "undated"]),
  ],
];

/** The four pages of one score, in the order of `names`. */
export function tied(names: readonly string[]): [string, number][] {
  return names.map((name) => [`/tie/${name}`, 3]);
}
