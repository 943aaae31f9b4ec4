import { z } from "zod";
import {
  anyMap,
  changed,
  count,
  dryRunAnswer,
  dryRunQuery,
  error,
  listOf,
  missing,
  pageMoved,
  person,
  plainMap,
  reference,
  sliceQuery,
  sourcePath,
  status,
  text,
  time,
  formField,
  lacks,
} from "./values.js";
import { movedPath, templateName } from "./arranging.js";

const broken = z
  .object({
    code: text,
    message: text,
    key: text.optional(),
    fix: text.optional(),
    line: count.optional(),
    column: count.optional(),
    isEditable: z.literal(false).optional().describe("The file is not text; `raw` is empty"),
  })
  .meta({ id: "BrokenPage", description: "Why a page cannot be read, and where" });
const publicUrl = text
  .nullable()
  .describe("Address of the public page, with its language; null: visitors have none");
const pageSource = z
  .object({
    sourcePath: text,
    route: text,
    url: publicUrl,
    frontmatter: anyMap,
    body: text,
    raw: text,
    size: count.describe("Bytes"),
    format: text,
    hash: text.describe("Digest of the file: the `ETag`"),
    broken: broken.optional().describe("The page cannot be read: only `raw` is known"),
    problems: z
      .array(text)
      .optional()
      .describe("What is wrong with the page, such as another page that has its address"),
    lacks,
  })
  .meta({ id: "PageSource", description: "The source of a page" });
/** When a page appears and disappears. */
const plan = {
  publishAt: time.nullable().describe("From then on the page is public; null: no such time"),
  unpublishAt: time.nullable().describe("From then on the page is not public any more"),
};
const page = pageSource
  .extend({
    status: status.describe("Of the live page: one that another key hides is a draft"),
    template: text.describe("Name of its page type"),
    ...plan,
  })
  .meta({ id: "Page", description: "The source and the status of a page" });
const pageRow = z
  .object({
    route: text,
    url: publicUrl,
    carrier: text.describe("The path that moves with the page: its folder, or its file"),
    isMovable: z
      .boolean()
      .describe("False for the home page, modules, and what the account may not move as a whole"),
    title: text,
    sourcePath: text,
    format: text,
    template: text,
    published: z.boolean(),
    status,
    ...plan,
    date: text,
    order: z.number(),
    depth: z.number(),
    parent: text.nullable(),
    lang: text,
    isModule: z.boolean(),
    visible: z.boolean(),
    mtimeMs: z.number(),
    hash: text,
    hasChildren: z.boolean(),
    broken: broken.optional().describe("The page cannot be read: the row says what its path says"),
    languages: z
      .array(z.object({ lang: text, sourcePath: text, title: text, status }))
      .optional()
      .describe("With `languages=together`: all files of the page"),
    columns: anyMap.optional().describe("Values of the columns that the page's blueprint names"),
    lacks,
  })
  .meta({ id: "PageRow", description: "A page in the lists of the panel" });
const pageType = z.object({
  template: text,
  label: text,
  drawnWith: text,
  fields: z.array(formField),
  children: z.array(text).nullable(),
  parents: z.array(text).nullable(),
  status: text.nullable(),
  columns: z.array(text),
  naming: z.object({ slug: text, prefix: text }).nullable(),
});
const translation = z.object({
  lang: text,
  state: z.enum(["original", "translated", "outdated", "missing"]),
  sourcePath: text.describe("Where its file is, or would be"),
  title: text.nullable(),
  status: text.nullable(),
});
const references = z.array(reference).optional().describe("What links to the page, or names it");
const saved = z.union([page, z.object({ sourcePath: text })]);
const conflict = z.union([
  pageMoved,
  error,
  z.object({ error: text, current: page.nullable(), yours: anyMap }),
]);

const facet = z.object({ value: text, count: z.int() });
const listQuery = z.object({
  q: z.string().max(200).optional().describe("Part of title, route or source path"),
  status: z
    .enum(["draft", "in_review", "published", "archived", "broken"])
    .optional()
    .describe("`broken`: only pages whose files cannot be read"),
  broken: z
    .enum(["true", "false"])
    .default("false")
    .describe("Also pages whose files cannot be read, before the others; they have no route"),
  template: z.string().max(100).optional(),
  lang: z.string().max(35).optional(),
  languages: z
    .enum(["each", "together"])
    .default("each")
    .describe(
      "`together`: a page is one row, with its languages; the one of `lang`, or the default",
    ),
  parent: z
    .string()
    .startsWith("/")
    .max(1024)
    .optional()
    .describe("Route of a page: only the pages directly below it; `/`: those at the top"),
  tag: z.string().max(200).optional().describe("Only pages with this term, of any taxonomy"),
  author: z.string().max(200).optional().describe("Only pages with this `author`"),
  own: z
    .enum(["true", "false"])
    .default("false")
    .describe("Only pages that name the account in the key `owner`"),
  since: z.iso.date().optional().describe("Only pages that changed on this day (UTC) or later"),
  sort: z
    .enum(["changed", "title", "status", "date"])
    .optional()
    .describe("Default: tree order. `changed` and `date`: the latest first"),
  order: z.enum(["asc", "desc"]).optional().describe("The direction of `sort`"),
  columns: z
    .string()
    .max(500)
    .transform((list) => list.split(",").filter((name) => name !== ""))
    .pipe(z.array(z.string().regex(/^[\w-]{1,64}$/)).max(8))
    .optional()
    .describe(
      "Keys of the front matter or of a page, separated by commas; default: those of its type",
    ),
  ...sliceQuery(500),
});
/** A page that is created below another one. */
export const newPage = z.object({
  parent: z.string().startsWith("/").max(1024).describe("Route of the page above"),
  template: templateName,
  frontmatter: plainMap,
  body: z.string().default(""),
});
const updateBody = z
  .object({
    content: z.string().optional(),
    frontmatter: plainMap.optional(),
    body: z.string().optional(),
  })
  .refine((edit) => Object.values(edit).some((value) => value !== undefined), {
    error: "send content, or frontmatter, body or both",
  })
  .refine((edit) => edit.content === undefined || edit.body === undefined, {
    error: "send content or body, not both",
  });
const folderQuery = z
  .object({ folder: z.enum(["true", "false"]).default("false") })
  .transform(({ folder }) => ({ hasFolder: folder === "true" }));
/** Keys whose titles are asked for at once. */
export const MAX_KEYS = 200;
const keys = z.union([text.max(500), z.array(text.max(500)).max(MAX_KEYS)]).optional();
const targetQuery = z.object({
  q: text.max(200).default("").describe("Part of the title or key, in any case"),
  of: z
    .string()
    .max(2_000)
    .default("")
    .transform((list) => list.split(",").filter((name) => name !== ""))
    .describe("Templates of pages, types of records; separated by commas"),
  from: text.max(1024).default("").describe("Route above pages, or name of terms"),
  lang: text.max(35).optional().describe("Language of pages"),
  key: keys.describe("Only these keys: repeat it for several"),
  limit: z.coerce.number().int().min(1).max(200).default(20),
});

const revision = z
  .object({
    n: count,
    sourcePath: text,
    kind: z.enum(["saved", "found", "deleted"]),
    createdAt: time,
    message: text,
    size: count,
    hash: text,
    actor: z.object({ id: text, name: text, email: text }).nullable(),
    content: text.optional().describe("Only for a single version"),
  })
  .meta({ id: "Revision", description: "A version of a page" });
const diffLine = z.object({
  kind: z.enum(["same", "added", "removed"]),
  text,
  oldLine: z.number().nullable(),
  newLine: z.number().nullable(),
});

const trashed = z.object({
  id: text,
  kind: z.enum(["page", "media"]),
  path: text,
  title: text,
  deletedAt: time,
  expiresAt: time,
  by: person,
  files: z.array(z.object({ path: text, size: z.int().describe("Bytes") })),
  lacks,
});
const notRestored = { 404: error, 409: error, 422: error };

/** Pages, their types, history and the trash: queries, bodies and responses by route. */
export const pagesApi = {
  "GET /pages": { query: listQuery, responses: { 200: listOf(pageRow) } },
  "POST /pages": {
    query: dryRunQuery,
    body: z.union([newPage, z.object({ path: sourcePath, content: z.string() })], {
      error: "send path and content, or parent, template and frontmatter",
    }),
    responses: { 200: dryRunAnswer, 201: saved, ...changed },
  },
  "GET /page-facets": {
    responses: { 200: z.object({ tags: z.array(facet), authors: z.array(facet) }) },
  },
  "GET /pages/*path": { responses: { 200: page, 404: z.union([pageMoved, error]) } },
  "PUT /pages/*path": {
    query: dryRunQuery,
    body: updateBody,
    responses: { 200: z.union([page, dryRunAnswer]), ...changed, 409: conflict },
  },
  "DELETE /pages/*path": {
    query: folderQuery,
    responses: {
      200: z.object({
        deleted: z.literal(true),
        sourcePath: text,
        trashId: text.nullable(),
        references,
      }),
      ...changed,
    },
  },
  "GET /pages/*path/references": {
    query: folderQuery,
    responses: { 200: listOf(reference), ...missing },
  },
  "POST /pages/duplicate": {
    body: z.object({
      path: movedPath,
      content: z
        .string()
        .optional()
        .describe("The text of the copy; absent: that of the file, not of its working copy"),
    }),
    responses: { 201: saved, ...changed },
  },
  "GET /page-source": {
    query: z
      .object({ path: z.string().max(1024).optional(), route: z.string().max(1024).optional() })
      .refine(({ path, route }) => (path ?? route ?? "") !== "", { error: "path is missing" }),
    responses: { 200: pageSource, ...missing },
  },
  "POST /render-markdown": {
    body: z
      .object({
        markdown: z.string().optional(),
        content: z.string().optional(),
        path: z.string().max(1024).optional().describe("Page whose context is used for rendering"),
      })
      .refine(({ markdown, content }) => markdown !== undefined || content !== undefined, {
        error: "markdown is missing",
      }),
    responses: {
      200: z.object({
        html: text,
        text: text.describe("Without markup, as in descriptions and in the search"),
      }),
    },
  },
  "GET /page-types": {
    responses: {
      200: z.object({
        items: z.array(pageType),
        blocks: z.array(z.object({ name: text, label: text, fields: z.array(formField) })),
        templates: z.array(text).describe("Templates of the theme, with and without a page type"),
      }),
    },
  },
  "GET /relations/:target": {
    query: targetQuery,
    responses: {
      200: listOf(
        z.object({
          key: text.describe("The value that a field stores"),
          label: text,
          detail: text.describe("A route, type or username that tells equal labels apart"),
        }),
      ),
      ...missing,
    },
  },
  "GET /translations/*path": {
    responses: {
      200: z.object({
        lang: text.describe("Language of the page"),
        stamp: text
          .nullable()
          .describe("`translated_from` of translations of the current original; null without one"),
        items: z.array(translation),
      }),
      ...missing,
    },
  },
  // One route serves the first three.
  "GET /history/*path": { responses: { 200: listOf(revision), ...missing } },
  "GET /history/*path/:n": { responses: { 200: revision, ...missing } },
  "GET /history/*path/:n/diff": {
    responses: {
      200: z.object({ lines: z.array(diffLine), additions: count, deletions: count }),
      ...missing,
    },
  },
  "POST /history/*path/:n/restore": {
    responses: {
      200: z.object({ restored: z.literal(true), sourcePath: text, revision: count }),
      ...changed,
    },
  },
  "GET /trash": { responses: { 200: listOf(trashed) } },
  "POST /trash": {
    body: z.object({ id: z.string().max(100) }),
    responses: {
      200: z.object({ restored: z.literal(true), paths: z.array(text) }),
      ...notRestored,
    },
  },
  "DELETE /trash": { responses: { 200: z.object({ purged: z.int() }), ...notRestored } },
  "DELETE /trash/:id": { responses: { 200: z.object({ purged: z.int() }), ...notRestored } },
};
