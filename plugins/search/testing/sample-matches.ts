import type { SearchQuery } from "../contract.js";
import { toQuery } from "./sample-queries.js";

/** Filters of a query; empty by default. */
export const filtered = (filters: Partial<SearchQuery["filters"]>): Partial<SearchQuery> => ({
  filters: { taxonomy: {}, facets: {}, ...filters },
});

type Row = readonly [title: string, query: SearchQuery, routes: readonly string[]];

/**
 * Queries over the sample pages, with the pages that every engine must find, whatever their scores.
 */
export const MATCHES: readonly Row[] = [
  ["finds a word in every field", toQuery("apple"), ["/apple", "/apple-pie", "/orchard"]],
  [
    "finds pages with any of the words",
    toQuery("apple brulee"),
    ["/apple", "/apple-pie", "/creme", "/orchard"],
  ],
  ["matches indexed terms a query term is a prefix of", toQuery("orch"), ["/orchard"]],
  ["does not match inside words", toQuery("rchard"), []],
  ["folds case and accents", toQuery("CREME"), ["/creme"]],
  ["finds words of any script", toQuery("Привет"), ["/hello"]],
  ["finds digits", toQuery("2024"), ["/hello"]],
  ["filters by template", toQuery("tied", filtered({ template: "post" })), tied("new")],
  [
    "filters by date range, leaving undated pages out",
    toQuery("tied", filtered({ from: "2024-01-01", to: "2024-12-31" })),
    tied("a", "b"),
  ],
  [
    "filters by taxonomy, one of the values",
    toQuery("tied", filtered({ taxonomy: { tag: ["red", "none"] } })),
    tied("b", "new"),
  ],
  ["filters by facet", toQuery("tied", filtered({ facets: { colour: ["blue"] } })), tied("a")],
  [
    "leaves what phrases and exclusions leave",
    toQuery("tied", { routes: { only: ["/tie/a", "/tie/b", "/apple"], except: ["/tie/b"] } }),
    tied("a"),
  ],
  [
    "leaves all but what is excluded",
    toQuery("apple", { routes: { only: null, except: ["/orchard"] } }),
    ["/apple", "/apple-pie"],
  ],
  ["filters by language", toQuery("tied", { lang: "de" }), []],
  ["finds in each language what has none", toQuery("anywhere", { lang: "de" }), ["/anywhere"]],
  [
    "knows `__proto__` and `constructor` as plain names",
    toQuery("tied", filtered({ taxonomy: { constructor: ["x"], ["__proto__"]: ["x"] } })),
    [],
  ],
  [
    "takes regular expressions as text",
    toQuery("(a+)+$ [ \\ .* tied"),
    tied("a", "b", "new", "undated"),
  ],
];

/** Queries whose order does not depend on scores. */
export const BY_DATE: readonly Row[] = [
  [
    "sorts by date, undated last, then by route",
    toQuery("tied hello", { sort: "date" }),
    [...tied("new", "a", "b"), "/hello", "/tie/undated"],
  ],
  [
    "lists what passes the filters by date when there are no terms",
    toQuery("", filtered({ taxonomy: { tag: ["red"] } })),
    tied("new", "b"),
  ],
];

function tied(...names: readonly string[]): string[] {
  return names.map((name) => `/tie/${name}`);
}
