import { z } from "zod";
import { dryRunAnswer } from "../dry-run.js";

const text = z.string();
const count = z.int().min(0);
const anyMap = z.record(z.string(), z.unknown());
const error = z.object({ error: text });
const validationErrors = z.array(z.object({ field: text, message: text }));
const changed = { 404: error, 409: error, 413: error, 422: error.extend({ validationErrors }) };
const item = z.object({
  name: text,
  url: text,
  type: text,
  size: count,
  meta: anyMap,
  mtimeMs: z.number(),
});
const indexed = item.extend({
  path: text.optional(),
  folder: text.optional(),
  key: text.nullable().optional(),
  usedBy: z.array(z.object({ sourcePath: text, title: text })).optional(),
  usedByRecords: z.array(z.object({ type: text, id: text })).optional(),
  srcset: text.optional().describe("Smaller variants; empty for files that are not processed"),
  mayUpload: z.boolean().optional(),
  mayDelete: z.boolean().optional(),
});
const list = z.object({
  items: z.array(indexed),
  total: count,
  page: count.optional(),
  pages: count.optional(),
  folders: z.array(text).optional(),
});
const folders = z.object({
  items: z.array(z.object({ path: text, title: text })),
  total: count,
});
const stored = z.object({
  ok: z.literal(true),
  path: text,
  item: item.nullable(),
  warnings: z.array(text).describe("Why the image cannot be resized; empty for other files"),
});
const deleted = z.object({
  deleted: z.literal(true),
  path: text,
  trashId: text.nullable(),
  references: z.array(z.looseObject({ from: text, text, line: count })).optional(),
});

/** Responses of the routes of media. */
export const mediaAnswers = {
  media: { 200: list, 404: error },
  mediaFolders: { 200: folders },
  mediaUpload: {
    201: stored,
    ...changed,
    415: error,
  },
  mediaMeta: { 200: z.object({ path: text, meta: anyMap }), ...changed },
  mediaMetaChange: {
    200: z.union([z.object({ path: text, meta: anyMap }), dryRunAnswer]),
    ...changed,
  },
  mediaFile: {
    200: dryRunAnswer,
    201: stored,
    ...changed,
    415: error,
  },
  mediaDelete: { 200: deleted, ...changed },
} as const;
