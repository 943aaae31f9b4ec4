import { z } from "zod";
import { described, filterParameter } from "#lib/query";
import type { LanguageParameters, ListQuery } from "../content/contract.js";

/** Maximum items of a page list. */
const MAX_ITEMS = 200;
const MAX_OFFSET = 1_000_000;

const whole = (least: number): z.ZodType<number, string> =>
  z
    .string({ error: "expected one value" })
    .regex(/^\d{1,9}$/, `expected a whole number of at least ${least}`)
    .transform(Number)
    .refine((value) => value >= least, `expected a whole number of at least ${least}`);

const text = z.string({ error: "expected one value" });

// As text, so that the default appears in the JSON Schema of the input.
const limit = whole(1)
  .prefault("20")
  .transform((value) => Math.min(value, MAX_ITEMS))
  .describe(`Most items to answer; above ${MAX_ITEMS} it is lowered`);
const offset = whole(0)
  .prefault("0")
  .refine((value) => value <= MAX_OFFSET, `expected at most ${MAX_OFFSET}`)
  .describe("Items to skip");

/** Parameters of the query language, described; `readQuery` validates them in the raw query string. */
const queryParameters = {
  order: described({
    type: "string",
    description: "Names with :asc or :desc, separated by commas, such as featured:desc,date:desc",
  }),
  fields: described({
    type: "string",
    description: "The only keys of items, separated by commas, such as title,price",
  }),
  include: described({
    type: "string",
    description: "What to add to items, separated by commas, such as summary,image",
  }),
  filter: filterParameter,
  cursor: described({
    type: "string",
    description: "meta.nextCursor of the last response; empty for the first page",
  }),
};

/**
 * Query string of `GET /api/pages`. Names of taxonomies are open-ended; those of the configuration
 * are described.
 */
export const pagesQuery = (language: LanguageParameters, taxonomies: readonly string[] = []) =>
  z.looseObject({
    ...taxonomyParameters(taxonomies),
    limit,
    offset,
    template: text.optional().describe("Only pages of this template"),
    published: z
      .enum(["true", "false"], { error: "expected true or false" })
      .optional()
      .describe("false lists unpublished pages, for accounts that may read them"),
    ...queryParameters,
    ...language,
  });
/** The query string of a list of pages, parsed. */
type PagesQuery = z.output<ReturnType<typeof pagesQuery>>;

function taxonomyParameters(names: readonly string[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    names.map((name) => [
      `taxonomy.${name}`,
      text.optional().describe(`Only pages with this value of taxonomy ${name}`),
    ]),
  );
}

/** Converts a validated page list request; never throws. */
export function toListQuery(query: PagesQuery): ListQuery {
  return {
    offset: query.offset,
    limit: query.limit,
    published: query.published !== "false",
    taxonomy: taxonomyFilters(query),
    fallback: query.fallback,
    ...(query.template !== undefined && { template: query.template }),
    ...(query.lang !== undefined && { lang: query.lang }),
  };
}

const TAXONOMY = /^taxonomy\.(.+)$/;

/** Recognises no parameter: routes without parameters use it. */
export function noParameter(): boolean {
  return false;
}

/** Recognises the parameters of a page list: those of its schema, and any taxonomy. */
export function listParameters({
  shape,
}: Pick<ReturnType<typeof pagesQuery>, "shape">): (name: string) => boolean {
  return (name) => Object.hasOwn(shape, name) || TAXONOMY.test(name);
}

function taxonomyFilters(query: Record<string, unknown>): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [key, value] of Object.entries(query)) {
    const name = TAXONOMY.exec(key)?.[1];
    if (name !== undefined && typeof value === "string") filters[name] = value;
  }
  return filters;
}

/** Taxonomy filters are open-ended keys; each accepts one value. */
export const singleTaxonomyValues = (query: Record<string, unknown>): string | null => {
  const bad = Object.keys(query).find(
    (key) => TAXONOMY.test(key) && typeof query[key] !== "string",
  );
  return bad ?? null;
};

const SOURCE =
  /^@(?:self\.(?:children|modules)|page\.(?:children|descendants|modules):.+|taxonomy\.[^:]+:.+)$/;
const SOURCES =
  "@self.children, @self.modules, @page.children:<route>, @page.descendants:<route>, @page.modules:<route> or @taxonomy.<name>:<value>";

/** Query string of `GET /api/collections`. */
export const collectionsQuery = (language: LanguageParameters) =>
  z.object({
    source: text
      .default("@self.children")
      .refine((value) => SOURCE.test(value), `expected ${SOURCES}`)
      .describe(SOURCES),
    ...queryParameters,
    dir: z
      .enum(["asc", "desc"], { error: "expected asc or desc" })
      .default("desc")
      .describe("Direction of names in order without one"),
    limit,
    offset,
    template: text.optional().describe("Only pages of this template"),
    ...language,
  });
/** `source` as name and value; `@self.children` has no value. */
export function toSource(source: string): { name: string; value: string | null } {
  const colon = source.indexOf(":");
  return colon === -1
    ? { name: source, value: null }
    : { name: source.slice(0, colon), value: source.slice(colon + 1) };
}

/** Query string of `GET /api/nav`. */
export const navQuery = (language: LanguageParameters) =>
  z.object({
    tree: z
      .enum(["true", "false"], { error: "expected true or false" })
      .optional()
      .describe("true nests the items in children"),
    ...language,
  });

/** Query string of the routes below `/api/taxonomy`. */
export const taxonomyQuery = (language: LanguageParameters) => z.object(language);

/** Query string of the pages that are related to a page. */
export const relatedQuery = (language: LanguageParameters, names: readonly string[]) =>
  pageQuery(language, names).extend({ limit: limit.prefault("5") });

/** Names separated by commas, without repetition. */
const nameList = text.transform((value) => [
  ...new Set(
    value
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ),
]);

/** Query string of the media of a page. */
export const mediaQuery = (language: LanguageParameters) => z.object(language);

/** Query string of the routes below `/api/pages/`; `names`: what `include` offers. */
export const pageQuery = (language: LanguageParameters, names: readonly string[]) =>
  z.object({
    ...language,
    include: nameList.optional().describe(`What to add, separated by commas: ${names.join(", ")}`),
  });
