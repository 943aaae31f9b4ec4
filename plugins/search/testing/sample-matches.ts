import type { SearchQuery } from "../contract.js";
import type { ENGINE_RULES } from "./engine-rules.js";
import { toQuery } from "./sample-queries.js";

/** Filters of a query; empty by default. */
export const filtered = (filters: Partial<SearchQuery["filters"]>): Partial<SearchQuery> => ({
  filters: { taxonomy: {}, facets: {}, ...filters },
});

type Row = readonly [
  rule: keyof typeof ENGINE_RULES,
  title: string,
  query: SearchQuery,
  routes: readonly string[],
];

/**
 * Queries over the sample pages, with the pages that every engine must find, whatever their scores.
 */
export const MATCHES: readonly Row[] = [
  ["fields", "finds a word in every field", toQuery("apple"), ["/apple", "/apple-pie", "/orchard"]],
  ["fields", "finds a word of a taxonomy", toQuery("cake"), ["/apple-pie"]],
  ["fields", "finds a word of the further fields", toQuery("crust"), ["/apple-pie"]],
  [
    "matches",
    "finds pages with any of the words",
    toQuery("apple brulee"),
    ["/apple", "/apple-pie", "/creme", "/orchard"],
  ],
  ["matches", "matches indexed terms a query term is a prefix of", toQuery("orch"), ["/orchard"]],
  ["matches", "does not match inside words", toQuery("rchard"), []],
  ["folding", "folds case and accents", toQuery("CREME"), ["/creme"]],
  ["folding", "finds words of any script", toQuery("Привет"), ["/hello"]],
  ["folding", "finds digits", toQuery("2024"), ["/hello"]],
  ["filters", "filters by template", toQuery("tied", filtered({ template: "post" })), tied("new")],
  [
    "filters",
    "filters by date range, leaving undated pages out",
    toQuery("tied", filtered({ from: "2024-01-01", to: "2024-12-31" })),
    tied("a", "b"),
  ],
  [
    "filters",
    "filters by taxonomy, one of the values",
    toQuery("tied", filtered({ taxonomy: { tag: ["red", "none"] } })),
    tied("b", "new"),
  ],
  [
    "filters",
    "filters by facet",
    toQuery("tied", filtered({ facets: { colour: ["blue"] } })),
    tied("a"),
  ],
  [
    "routes",
    "leaves what phrases and exclusions leave",
    toQuery("tied", { routes: { only: ["/tie/a", "/tie/b", "/apple"], except: ["/tie/b"] } }),
    tied("a"),
  ],
  [
    "routes",
    "leaves all but what is excluded",
    toQuery("apple", { routes: { only: null, except: ["/orchard"] } }),
    ["/apple", "/apple-pie"],
  ],
  ["hitLanguages", "filters by language", toQuery("tied", { lang: "de" }), []],
  [
    "hitLanguages",
    "finds in each language what has none",
    toQuery("anywhere", { lang: "de" }),
    ["/anywhere"],
  ],
  [
    "plain",
    "knows `__proto__` and `constructor` as plain names",
    toQuery("tied", filtered({ taxonomy: { constructor: ["x"], ["__proto__"]: ["x"] } })),
    [],
  ],
  [
    "plain",
    "takes regular expressions as text",
    toQuery("(a+)+$ [ \\ .* tied"),
    tied("a", "b", "new", "undated"),
  ],
];

/** Queries whose order does not depend on scores. */
export const BY_DATE: readonly Row[] = [
  [
    "dates",
    "sorts by date, undated last, then by route",
    toQuery("tied hello", { sort: "date" }),
    [...tied("new", "a", "b"), "/hello", "/tie/undated"],
  ],
  [
    "dates",
    "lists what passes the filters by date when there are no terms",
    toQuery("", filtered({ taxonomy: { tag: ["red"] } })),
    tied("new", "b"),
  ],
];

function tied(...names: readonly string[]): string[] {
  return names.map((name) => `/tie/${name}`);
}
