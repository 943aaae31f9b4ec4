import { z } from "zod";

const date = z.string().describe("YYYY-MM-DD, empty when undated");
const marks = {
  lang: z.string().optional().describe("With `fallback`: the language the page is written in"),
  fallback: z.literal(true).optional().describe("The page stands in for a missing translation"),
};
const listItem = z.object({
  ...marks,
  route: z.string(),
  title: z.string(),
  date,
  datetime: z.string().optional().describe("ISO 8601, of dates with a time of day"),
  template: z.string(),
  format: z.string(),
  published: z.boolean(),
  taxonomy: z.record(z.string(), z.array(z.string())),
});
const meta = z.object({
  total: z.int().min(0).max(1e9),
  page: z.int().min(1).max(1e9),
  pages: z.int().min(0).max(1e9),
  limit: z.int().min(1).max(1e9),
  nextCursor: z.string().nullable().optional().describe("Of a query; null after the last item"),
});
const collectionItem = listItem.omit({ published: true, taxonomy: true });
const mediaItem = z.object({
  name: z.string(),
  url: z.string(),
  type: z.string(),
  size: z.number(),
});

/** An error of the API. */
export const errorSchema = z.object({
  error: z.string(),
  details: z.array(z.unknown()).optional(),
});
/** Problems of `rev`: an unknown commit, a commit that is too large to show. */
export const momentProblems = { 404: errorSchema, 422: errorSchema } as const;
/** An item with only the keys that `fields` names. */
const sparseItem = z.record(z.string(), z.unknown());

/** `GET /api/pages`; the second form with `fields`. */
export const listSchema = z.union([
  z.object({ items: z.array(listItem.loose()), meta }),
  z.object({ items: z.array(sparseItem), meta }),
]);
/** A page that is redirected to another page: the address is in `Location`. */
export const redirectSchema = z.object({ redirect: z.string() });
/** A missing page; with `redirect`, a redirect to an address that is not a page of this site. */
export const noPageSchema = errorSchema.extend({ redirect: z.string().optional() });
const collectionMeta = meta.extend({ hasNext: z.boolean(), hasPrev: z.boolean() });
const htmlOfModule = z.string().optional().describe("The HTML of a module");
/** `GET /api/collections`; the second form with `fields`. */
export const collectionSchema = z.union([
  z.object({
    items: z.array(collectionItem.extend({ html: htmlOfModule }).loose()),
    meta: collectionMeta,
  }),
  z.object({ items: z.array(sparseItem), meta: collectionMeta }),
]);
/** `GET /api/pages/{route}`. */
export const pageSchema = collectionItem.loose().extend({
  rawContent: z.string().describe("The source with its front matter"),
  html: z.string(),
  frontmatter: z.record(z.string(), z.unknown()),
  media: z.array(mediaItem),
});
/** `GET /api/pages/{route}/children`. */
export const childrenSchema = z.object({
  items: z.array(collectionItem.loose().extend({ order: z.number() })),
  total: z.int().min(0).max(1e9),
});
/** `GET /api/pages/{route}/related`. */
export const relatedSchema = z.object({
  items: z.array(listItem.loose()),
  total: z.int().min(0).max(1e9),
});
/** `GET /api/pages/{route}/media`. */
export const pageMediaSchema = z.object({
  items: z.array(mediaItem.extend({ meta: z.record(z.string(), z.unknown()) })),
  total: z.int().min(0).max(1e9),
});
/** `GET /api/nav`. */
export const navSchema = z.object({
  items: z.array(
    z.looseObject({
      route: z.string(),
      title: z.string(),
      order: z.number().nullable().describe("Null for a page without an order, which comes last"),
      depth: z.number(),
      template: z.string(),
      ...marks,
    }),
  ),
});
/** `GET /api/taxonomy`. */
export const taxonomiesSchema = z.record(z.string(), z.record(z.string(), z.number()));
/** `GET /api/taxonomy/{name}`. */
export const taxonomySchema = z.object({
  name: z.string(),
  values: z.record(z.string(), z.number()),
});
/** `GET /api/taxonomy/{name}/{value}`. */
export const taxonomyValueSchema = z.object({
  taxonomy: z.string(),
  value: z.string(),
  items: z.array(listItem),
  total: z.int().min(0).max(1e9),
});
/** `GET /api/config/site`. */
export const siteSchema = z.object({
  title: z.string(),
  description: z.string(),
  url: z.string(),
  author: z.object({ name: z.string() }),
  metadata: z.record(z.string(), z.string()),
  taxonomies: z.array(z.string()),
});
/** `GET /_site/schema/config`. */
export const schemaSchema = z
  .looseObject({ $schema: z.string(), title: z.string() })
  .describe("A JSON Schema, draft 2020-12");
