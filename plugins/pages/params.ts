import { z } from "zod";
import type { CollectionQuery, ListQuery } from "../content/contract.js";

/** Most items a page list answers (decisions: REST API). */
const MOST_ITEMS = 200;
const MOST_OFFSET = 1_000_000;

const whole = (least: number): z.ZodType<number, string> =>
  z
    .string({ error: "expected one value" })
    .regex(/^\d{1,9}$/, `expected a whole number of at least ${least}`)
    .transform(Number)
    .refine((value) => value >= least, `expected a whole number of at least ${least}`);

const text = z.string({ error: "expected one value" });
const lang = text.optional().describe("Language code; the default language without it");

// As text: so the default stands in the JSON Schema of what is sent.
const limit = whole(1)
  .prefault("20")
  .transform((value) => Math.min(value, MOST_ITEMS))
  .describe(`Most items to answer; above ${MOST_ITEMS} it is lowered`);
const offset = whole(0)
  .prefault("0")
  .refine((value) => value <= MOST_OFFSET, `expected at most ${MOST_OFFSET}`)
  .describe("Items to skip");

const ORDER = /^(date|title|order)(?::(asc|desc))?$/;

/** Query string of `GET /api/pages`; `taxonomy.{name}` keys are read beside it. */
export const pagesQuery = z.looseObject({
  limit,
  offset,
  template: text.optional().describe("Only pages of this template"),
  published: z
    .enum(["true", "false"], { error: "expected true or false" })
    .optional()
    .describe("false lists unpublished pages, for whoever may read them"),
  order: text
    .regex(ORDER, "expected date, title or order, with :asc or :desc")
    .optional()
    .describe("field:direction, such as date:desc"),
  lang,
});

/** A parsed page list request. Throws nothing: the schema has been applied. */
export function toListQuery(query: z.output<typeof pagesQuery>): ListQuery {
  const [by, dir] = query.order?.split(":") ?? [];
  return {
    offset: query.offset,
    limit: query.limit,
    published: query.published !== "false",
    taxonomy: taxonomyFilters(query),
    ...(query.template !== undefined && { template: query.template }),
    ...(query.lang !== undefined && { lang: query.lang }),
    ...(isOrderField(by) && {
      order: { by, dir: dir === "asc" ? "asc" : defaultDirection(by, dir) },
    }),
  };
}

function isOrderField(by: string | undefined): by is "date" | "title" | "order" {
  return by === "date" || by === "title" || by === "order";
}

/** Without a direction dates run from the newest, all else upwards. */
function defaultDirection(by: string, dir: string | undefined): "asc" | "desc" {
  if (dir !== undefined) return "desc";
  return by === "date" ? "desc" : "asc";
}

const TAXONOMY = /^taxonomy\.(.+)$/;

/** For routes that read no parameter. */
export function noParameter(): boolean {
  return false;
}

/** True for a parameter of the list of pages. */
export function isListParameter(name: string): boolean {
  return Object.hasOwn(pagesQuery.shape, name) || TAXONOMY.test(name);
}

function taxonomyFilters(query: Record<string, unknown>): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [key, value] of Object.entries(query)) {
    const name = TAXONOMY.exec(key)?.[1];
    if (name !== undefined && typeof value === "string") filters[name] = value;
  }
  return filters;
}

/** Taxonomy filters are open-ended keys: each takes one value. */
export const singleTaxonomyValues = (query: Record<string, unknown>): string | null => {
  const bad = Object.keys(query).find(
    (key) => TAXONOMY.test(key) && typeof query[key] !== "string",
  );
  return bad ?? null;
};

const SOURCE = /^@(?:self\.children|page\.(?:children|descendants):.+|taxonomy\.[^:]+:.+)$/;

/** Query string of `GET /api/collections`. */
export const collectionsQuery = z.object({
  source: text
    .default("@self.children")
    .refine(
      (value) => SOURCE.test(value),
      "expected @self.children, @page.children:<route>, @page.descendants:<route> or @taxonomy.<name>:<value>",
    )
    .describe(
      "@self.children, @page.children:<route>, @page.descendants:<route> or @taxonomy.<name>:<value>",
    ),
  order: z
    .enum(["date", "title", "order"], { error: "expected date, title or order" })
    .default("date")
    .describe("Field to order by"),
  dir: z
    .enum(["asc", "desc"], { error: "expected asc or desc" })
    .default("desc")
    .describe("Direction"),
  limit,
  offset,
  template: text.optional().describe("Only pages of this template"),
  lang,
});

/** A parsed collection request. */
export function toCollectionQuery(query: z.output<typeof collectionsQuery>): CollectionQuery {
  const colon = query.source.indexOf(":");
  const name = colon === -1 ? query.source : query.source.slice(0, colon);
  const value = colon === -1 ? true : query.source.slice(colon + 1);
  return {
    items: { [name]: value },
    order: { by: query.order, dir: query.dir },
    limit: query.limit,
    offset: query.offset,
    ...(query.template !== undefined && { filter: { template: query.template } }),
  };
}

/** Query string of `GET /api/nav`. */
export const navQuery = z.object({
  tree: z
    .enum(["true", "false"], { error: "expected true or false" })
    .optional()
    .describe("true nests the items in children"),
  lang,
});

/** Query string of the routes below `/api/taxonomy`. */
export const taxonomyQuery = z.object({ lang });
