import type { SearchDocument, SearchQuery } from "../contract.js";
import { queryTerms } from "../query/terms.js";

/** The fields of a document that a test sets: at least its route. */
type SampleFields = Partial<SearchDocument> & Pick<SearchDocument, "route">;

/** A document; fills in what a test omits. */
export function sampleDocument(rest: SampleFields): SearchDocument {
  return {
    title: "Untitled",
    body: "",
    fields: {},
    template: "default",
    date: null,
    taxonomy: {},
    lang: "en",
    facets: {},
    access: "",
    ...rest,
  };
}

/** The pages of the conformance suite. */
export const samplePages: readonly SearchDocument[] = [
  sampleDocument({
    route: "/apple-pie",
    title: "Apple pie",
    body: "apple apple apple apple apple apple apple and a pie",
    taxonomy: { tag: ["apple", "cake"] },
    fields: { description: "apples in a crust" },
  }),
  sampleDocument({ route: "/apple", title: "Apple", body: "An apple." }),
  sampleDocument({ route: "/orchard", title: "Orchard", body: "apple trees, apples and an APPLE" }),
  sampleDocument({ route: "/creme", title: "Crème brûlée" }),
  sampleDocument({ route: "/anywhere", title: "Anywhere", lang: "" }),
  sampleDocument({ route: "/hello", title: "Hello", body: "привет мир 2024", date: "2020-02-02" }),
  sampleDocument({
    route: "/tie/b",
    title: "Tied B",
    date: "2024-05-05",
    taxonomy: { tag: ["red"] },
    facets: { colour: ["red"] },
  }),
  sampleDocument({ route: "/tie/undated", title: "Tied undated" }),
  sampleDocument({
    route: "/tie/a",
    title: "Tied A",
    date: "2024-05-05",
    facets: { colour: ["blue"], size: ["small"] },
  }),
  sampleDocument({
    route: "/tie/new",
    title: "Tied new",
    date: "2025-01-01",
    template: "post",
    taxonomy: { tag: ["red", "deep red"] },
    facets: { colour: ["red"] },
  }),
  sampleDocument({ route: "/roses", title: "Roses", body: "garden gardener" }),
  sampleDocument({ route: "/lilies", title: "Lilies", body: "A garden." }),
  sampleDocument({
    route: "/members",
    title: "Secret plans",
    body: "secret",
    access: "member",
    facets: { colour: ["green"] },
  }),
];

/** A query as the service creates it; fills in what a test omits. */
export function toQuery(text: string, rest: Partial<SearchQuery> = {}): SearchQuery {
  return {
    text,
    terms: queryTerms(text),
    filters: { taxonomy: {}, facets: {} },
    sort: "relevance",
    limit: 20,
    offset: 0,
    lang: null,
    access: [""],
    facets: [],
    ...rest,
  };
}

/** Documents as the stream that `build` expects. */
export async function* streamOf(
  documents: Iterable<SearchDocument>,
): AsyncGenerator<SearchDocument> {
  yield* documents;
}
