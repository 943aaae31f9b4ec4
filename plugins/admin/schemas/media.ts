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
  reference,
  sourcePath,
  text,
} from "./values.js";

const item = z.object({
  name: text,
  url: text,
  type: text,
  size: count.describe("Bytes"),
  meta: anyMap,
  mtimeMs: z.number().describe("Unix ms"),
});
const libraryItem = item.extend({
  path: text.describe("Below the content folder"),
  folder: text,
  key: text.nullable().describe("Fields of other pages and of records name the file so"),
  usedBy: z
    .array(z.object({ sourcePath: text, title: text }))
    .describe("Pages whose text or front matter names it, as far as the identity may read them"),
  usedByRecords: z
    .array(z.object({ type: text, id: text }))
    .describe("Records whose fields name it, for identities that may read records"),
  srcset: text.describe("Smaller variants; empty for files that are not processed"),
  mayUpload: z.boolean(),
  mayDelete: z.boolean(),
});
const library = listOf(libraryItem).extend({
  page: count,
  pages: count,
  folders: z.array(text).describe("Folders with files"),
});
const stored = z.object({
  ok: z.literal(true),
  path: text,
  item: item.nullable(),
  warnings: z.array(text).describe("Why the image cannot be resized; empty for other files"),
});
const described = z.object({ path: text, meta: anyMap });
const fileQuery = z.object({ path: sourcePath.describe("File below the content folder") });

const percent = z.number().min(0).max(100);
const value = z.string().max(2_000).nullable().optional();

/** Files of pages: queries, bodies and responses by route. */
export const mediaApi = {
  "GET /media": {
    query: z.object({
      path: z.string().max(1024).optional().describe("A page or a folder: only its own files"),
      folder: z.string().max(1024).optional().describe("Only files in it and below"),
      q: z.string().max(200).optional().describe("Part of path, title or alternative text"),
      type: z.string().max(100).optional().describe("`image`, `video`, `application/pdf`, …"),
      page: z.coerce.number().int().min(1).max(1_000_000).default(1),
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .default(50)
        .transform((limit) => Math.min(limit, 500)),
    }),
    responses: {
      200: z.union([listOf(item).describe("With `path`"), library.describe("Without `path`")]),
      ...missing,
    },
  },
  "DELETE /media": {
    query: fileQuery,
    responses: {
      200: z.object({
        deleted: z.literal(true),
        path: text,
        trashId: text.nullable(),
        references: z.array(reference).optional(),
      }),
      ...changed,
    },
  },
  "POST /media/move": {
    body: fileQuery.extend({
      folder: z.string().min(1).max(1024).describe("The new page, or its folder"),
    }),
    responses: {
      200: z.object({
        path: text,
        to: text,
        rewritten: z.array(text).describe("Pages and records whose links and fields are updated"),
      }),
      ...changed,
    },
  },
  "POST /media/upload": { responses: { 201: stored, ...changed, 415: error } },
  "POST /media/file": {
    query: dryRunQuery,
    body: z.object({
      pagePath: z.string().max(1024).describe("Page (or folder) below the content folder"),
      name: z.string().min(1).max(300).describe("File name with an extension: harbour.jpg"),
      data: z.string().min(1).describe("The bytes of the file, as base64"),
      overwrite: z.boolean().default(false).describe("True: replaces a file with this name"),
    }),
    responses: { 200: dryRunAnswer, 201: stored, ...changed, 415: error },
  },
  "GET /media/folders": {
    query: z.object({
      q: z.string().max(200).default("").describe("Part of the path or of the page's title"),
      limit: z.coerce.number().int().min(1).max(500).default(50),
    }),
    responses: { 200: listOf(z.object({ path: text, title: text })) },
  },
  "GET /media/meta": { query: fileQuery, responses: { 200: described, ...changed } },
  "PUT /media/meta": {
    query: dryRunQuery,
    body: fileQuery.extend({
      meta: z
        .looseObject({
          alt: value,
          title: value,
          credit: value,
          focal_point: z.tuple([percent, percent]).nullable().optional(),
        })
        .describe("Keys to set; null removes a key, others are unchanged"),
    }),
    responses: { 200: z.union([described, dryRunAnswer]), ...changed },
  },
};
