import { z } from "zod";
import { HttpError, type RouteTool } from "#kernel";
import type { LanguageParameters } from "../content/contract.js";
import type { SearchFilters, SearchRequest, SearchSection } from "./contract.js";

const MAX_RESULTS = 500;
const MAX_OFFSET = 1_000_000;
const DEFAULT_RESULTS = 20;
const SUBTYPE = "subtype";

const text = z.string({ error: "expected one value" });
const whole = (least: number, most: number): z.ZodType<number, string> =>
  text
    .regex(/^\d{1,9}$/, `expected a whole number of at least ${least}`)
    .transform(Number)
    .refine((value) => value >= least, `expected a whole number of at least ${least}`)
    .transform((value) => Math.min(value, most));
const day = text.refine(isDay, "expected a day of the calendar as YYYY-MM-DD");
const values = z
  .union([text.transform((value) => [value]), z.array(text)], {
    error: "expected values: name[key][]=value",
  })
  .transform((list) => list.filter((value) => value !== ""));
const named = z.record(z.string(), values, {
  error: "expected names in brackets: key[name]=value",
});

/** Query string of `GET /api/search` without the language. */
const searchShape = {
  q: text.default("").describe("Words to find; the first 256 characters and 16 words count"),
  template: text.optional().describe("Pages of this template"),
  published: z
    .enum(["true", "false"], { error: "expected true or false" })
    .optional()
    .describe("Only published pages are indexed: false finds none"),
  from: day.optional().describe("First day, YYYY-MM-DD"),
  to: day.optional().describe("Last day, YYYY-MM-DD"),
  taxonomy: named.optional().describe("taxonomy[name][]=value: one of the values per name"),
  facet: named.optional().describe("facet[field]=value: one of the values per configured field"),
  sort: z.enum(["relevance", "date"], { error: "expected relevance or date" }).default("relevance"),
  type: text.optional().describe("Value of the facet `subtype`; all for every one"),
  limit: whole(1, MAX_RESULTS)
    .optional()
    .describe(`Most results; above ${MAX_RESULTS} it is lowered`),
  offset: whole(0, Infinity)
    .optional()
    .refine((value) => (value ?? 0) <= MAX_OFFSET, `expected at most ${MAX_OFFSET}`),
  similar: z
    .enum(["0", "1"], { error: "expected 0 or 1" })
    .optional()
    .describe("1: adds `similar`: hits by typo, synonym or stem, and `didYouMean`"),
  sections: z
    .enum(["0", "1"], { error: "expected 0 or 1" })
    .optional()
    .describe("1: adds `sections`: the best sections of the first items, with their anchors"),
  explain: text
    .optional()
    .describe("1: explains the score of each result, for accounts with access to all pages"),
};
/** Query string of `GET /api/search`. */
export const searchQuery = (language: LanguageParameters) =>
  z.object({ ...searchShape, ...language });
/** The parsed query string. */
export type SearchParams = z.output<ReturnType<typeof searchQuery>>;

/** Query string of `GET /api/search/suggest`. */
export const suggestQuery = (language: LanguageParameters) =>
  z.object({ q: text.default("").describe("At least two characters"), ...language });

/**
 * The request of parsed parameters.
 * @throws HttpError 400 for fields that are not configured.
 */
export function toRequest(params: SearchParams, section: SearchSection): SearchRequest {
  const type = params.type === "all" || params.type === "" ? undefined : params.type;
  const fields = section.facets.map(({ field }) => field);
  assertFacets(params, type, fields);
  return {
    text: params.q,
    filters: parseFilters(params, type),
    sort: params.sort,
    limit: params.limit ?? section.page_size ?? DEFAULT_RESULTS,
    offset: params.offset ?? 0,
    lang: params.lang ?? null,
    fallback: params.fallback,
    ...(params.similar === "1" && { similar: true }),
    ...(params.sections === "1" && { sections: true }),
  };
}

function assertFacets(
  params: SearchParams,
  type: string | undefined,
  fields: readonly string[],
): void {
  const asking = params.sort === "date" ? "sort=date" : type === undefined ? null : "type";
  if (asking !== null && !fields.includes(SUBTYPE)) {
    throw new HttpError(
      400,
      `${asking}: needs a facet "subtype"; add { field: subtype } to search.facets in system.yaml`,
    );
  }
  const unknown = Object.keys(params.facet ?? {}).find((field) => !fields.includes(field));
  if (unknown === undefined) return;
  const list = fields.join(", ") || "none";
  throw new HttpError(
    400,
    `facet: ${JSON.stringify(unknown)} is not a facet; those of search.facets are ${list}`,
  );
}

function parseFilters(params: SearchParams, type: string | undefined): SearchFilters {
  const { template, from, to } = params;
  const facets = withValues(params.facet);
  return {
    taxonomy: withValues(params.taxonomy),
    facets: type === undefined ? facets : { ...facets, [SUBTYPE]: [type] },
    ...(template !== undefined && template !== "" && { template }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

function withValues(values: Record<string, string[]> | undefined): Record<string, string[]> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, list]) => list.length > 0));
}

function isDay(value: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!match) return false;
  const date = new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])));
  return date.getUTCMonth() === Number(match[2]) - 1 && date.getUTCDate() === Number(match[3]);
}

/** Default number of results on the search page. */
const DEFAULT_PAGE_RESULTS = 50;

const pageParameters = new Set(["q", "sort", "limit", "offset", "taxonomy", "facet", "type"]);

/** True for the parameters that the search page depends on. */
export function isPageParameter(name: string): boolean {
  return pageParameters.has(name);
}

/** The request of the search page: ignores invalid parameters, because the page is always shown. */
export function toPageRequest(
  query: Readonly<Record<string, unknown>>,
  section: SearchSection,
): SearchRequest & { type: string } {
  const hasSubtype = section.facets.some(({ field }) => field === SUBTYPE);
  const type = hasSubtype ? pageType(query) : "";
  const params: SearchParams = {
    q: one(query["q"]) ?? "",
    sort: hasSubtype && query["sort"] === "date" ? "date" : "relevance",
    limit: read(query["limit"], searchShape.limit) ?? section.page_size ?? DEFAULT_PAGE_RESULTS,
    offset: read(query["offset"], searchShape.offset),
    taxonomy: read(query["taxonomy"], searchShape.taxonomy),
    facet: pageFacets(query, section),
    type,
    lang: undefined,
    fallback: false,
  };
  return { ...toRequest(params, section), similar: true, type };
}

/** The facets in a page's links: only configured ones; `subtype` comes from `type`. */
function pageFacets(
  query: Readonly<Record<string, unknown>>,
  section: SearchSection,
): Record<string, string[]> {
  const selected = read(query["facet"], searchShape.facet) ?? {};
  const fields = section.facets.map(({ field }) => field).filter((field) => field !== SUBTYPE);
  return Object.fromEntries(
    fields.flatMap((field) =>
      Object.hasOwn(selected, field) ? [[field, selected[field] ?? []]] : [],
    ),
  );
}

/** `type`, or `facet[subtype]` in older links. */
function pageType(query: Readonly<Record<string, unknown>>): string {
  const facet = named.safeParse(query["facet"] ?? {});
  return one(query["type"]) ?? (facet.success ? facet.data[SUBTYPE]?.[0] : undefined) ?? "";
}

function one(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function read<T>(value: unknown, schema: z.ZodType<T>): T | undefined {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** The search as a tool of agents. */
export const searchTool: RouteTool = {
  name: "search",
  description: "Search the texts of the site; items have the route of the page and an excerpt",
  query: ["q", "limit", "offset", "lang", "sort", "similar"],
};
