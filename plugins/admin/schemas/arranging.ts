import { z } from "zod";
import {
  changed,
  error,
  invalid,
  listOf,
  missing,
  person,
  plainMap,
  sourcePath,
  text,
} from "./values.js";
import { action, scheduledAt } from "./workflow.js";

/** The name of a page type. */
export const templateName = z.string().regex(/^[A-Za-z][\w-]{0,63}$/);
/** A file or folder of a page that changes its place. */
export const movedPath = z.string().min(1).max(1024);
/** The new place of a page: its file, or the page above and the end of its address. */
const place = {
  to: movedPath.optional().describe("Its new file or folder"),
  parent: z
    .string()
    .startsWith("/")
    .max(1024)
    .optional()
    .describe("Route of the new page above, `/` for the top: the page becomes the last below it"),
  segment: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("The new end of its address: `hello` of `/blog/hello`"),
};
const isPlace = ({ to, parent, segment }: { [K in keyof typeof place]?: unknown }): boolean =>
  (to !== undefined) !== (parent !== undefined || segment !== undefined);
const NO_PLACE = { error: "send to, or parent, segment or both" };
const move = z.object({ path: text, to: text });

const MAX_OPERATIONS = 200;
const term = z.string().trim().min(1).max(200);
const taxonomy = z.string().min(1).max(100).default("tag").describe("Name of the taxonomy");
/** One change of a batch, of one page. */
export const operation = z.discriminatedUnion("op", [
  z.object({ op: z.enum(["publish", "unpublish", "archive"]), path: sourcePath }),
  z.object({ op: z.literal("delete"), path: sourcePath, folder: z.boolean().default(false) }),
  z
    .object({
      op: z.literal("move"),
      path: sourcePath,
      ...place,
      redirect: z.boolean().default(true),
    })
    .refine(isPlace, NO_PLACE),
  z.object({
    op: z.literal("type"),
    path: sourcePath,
    template: templateName.describe("The page type that the page gets, in every language"),
  }),
  z.object({ op: z.literal("schedule"), path: sourcePath, action, scheduledAt }),
  z.object({ op: z.enum(["tag", "untag"]), path: sourcePath, value: term, taxonomy }),
  z.object({ op: z.literal("set"), path: sourcePath, frontmatter: plainMap }),
]);
/** The result of one change of a batch. */
export const operationResult = z.object({
  op: text,
  path: text,
  status: z.enum(["done", "error"]),
  error: text.optional(),
  code: z.int().optional().describe("HTTP status of the error"),
  movedTo: text.optional().describe("Where the page is now, when its file has another path"),
  trashId: text.nullable().optional().describe("Of a deletion: its key in the trash"),
  validationErrors: invalid.shape.validationErrors.optional(),
});

const viewName = z.string().trim().min(1).max(80);
/** What the address of the list may have; the list checks the values. */
const viewQuery = z
  .partialRecord(
    z.enum([
      "q",
      "status",
      "template",
      "lang",
      "tag",
      "author",
      "since",
      "sort",
      "order",
      "columns",
    ]),
    z.string().max(500),
  )
  .describe("Filters, sorting and columns, as the query of `GET /pages` has them");
const viewBody = z.object({
  name: viewName,
  query: viewQuery,
  isShared: z.boolean().default(false).describe("True: for all accounts; needs `pages.publish`"),
});
const view = z
  .object({
    id: text,
    name: text,
    query: z.record(z.string(), text),
    isShared: z.boolean(),
    owner: person,
    mayChange: z.boolean().describe("True: the account may change and delete it"),
  })
  .meta({ id: "SavedView", description: "A saved view of the list of pages" });

/** Views of the list, places of pages, and batches: queries, bodies and responses by route. */
export const arrangingApi = {
  "GET /views": { responses: { 200: listOf(view) } },
  "POST /views": { body: viewBody, responses: { 201: view, 409: error } },
  "PUT /views/:id": { body: viewBody, responses: { 200: view, ...missing } },
  "DELETE /views/:id": {
    responses: { 200: z.object({ deleted: z.literal(true), id: text }), ...missing },
  },
  "POST /pages/move": {
    query: z
      .object({
        dry_run: z
          .enum(["true", "false"])
          .default("false")
          .describe("true: moves nothing, and responds with what would change"),
      })
      .transform(({ dry_run }) => ({ dryRun: dry_run === "true" })),
    body: z
      .object({
        path: movedPath,
        ...place,
        redirect: z
          .boolean()
          .default(true)
          .describe("Redirect from the old address to the new one"),
      })
      .refine(isPlace, NO_PLACE),
    responses: {
      200: z.object({
        moved: z.boolean().describe("False for a dry run, and when the page is there already"),
        path: text,
        to: text,
        moves: z.array(move),
        addresses: z
          .record(z.string(), text)
          .describe("Old to new address of the pages whose address changes"),
        rewritten: z.array(text).describe("Pages and records whose links are updated"),
        redirects: z.record(z.string(), text),
      }),
      ...changed,
    },
  },
  "POST /pages/reorder": {
    body: z.object({
      path: movedPath,
      target: movedPath.describe("A sibling"),
      position: z.enum(["before", "after"]).default("after"),
    }),
    responses: {
      200: z.object({ sourcePath: text, moves: z.array(move) }),
      ...changed,
    },
  },
  "POST /batch": {
    body: z.object({ operations: z.array(operation).min(1).max(MAX_OPERATIONS) }),
    responses: {
      200: z.object({
        results: z.array(operationResult),
        summary: z.object({ total: z.int(), done: z.int(), errors: z.int() }),
      }),
    },
  },
};
