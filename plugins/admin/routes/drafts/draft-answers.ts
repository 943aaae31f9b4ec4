import { z } from "zod";
import { dryRunAnswer } from "../dry-run.js";

/** Responses of the routes of working copies. */
const text = z.string();
const time = z.number().describe("Unix ms");
const person = z.object({ id: text, name: text });
const error = z.object({ error: text });
const row = z.object({
  sourcePath: text,
  title: text,
  author: person,
  createdAt: time,
  updatedAt: time,
  etag: text.describe("Digest of the text: the `ETag`"),
  baseEtag: text.describe("Digest of the live file that it began from; empty: there was none"),
  isBehind: z.boolean().describe("True when the live file has changed since"),
  review: z.object({ requestedAt: time, by: person }).nullable(),
});
const draft = row
  .extend({ content: text })
  .meta({ id: "WorkingCopy", description: "The working copy of a page" });
const unknown = { 404: error };
const conflict = z.object({
  error: text,
  etag: text.nullable(),
  liveEtag: text.nullable(),
  base: text.nullable(),
  theirs: text.nullable(),
  yours: text,
  proposal: text.nullable().describe("Merged, with both versions between conflict markers"),
});
const publishConflict = z.object({
  error: text,
  etag: text,
  liveEtag: text.nullable(),
  base: text,
  live: text.nullable(),
  draft: text,
  proposal: text.nullable(),
});

/** Responses of each route, without those common to all guarded routes. */
export const draftAnswers = {
  list: { 200: z.object({ items: z.array(row), total: z.int() }) },
  one: { 200: draft, ...unknown },
  save: {
    200: z.union([draft.extend({ merged: z.boolean() }), dryRunAnswer]),
    201: draft.extend({ merged: z.boolean() }),
    409: z.union([error, conflict]),
    ...unknown,
    413: error,
  },
  discard: {
    200: z.object({ discarded: z.literal(true), sourcePath: text }),
    ...unknown,
    409: error,
  },
  review: { 200: row, ...unknown },
  publish: {
    200: z.object({
      published: z.literal(true),
      sourcePath: text,
      etag: text,
      merged: z.boolean(),
    }),
    ...unknown,
    409: z.union([error, publishConflict]),
    413: error,
    422: error.extend({ validationErrors: z.array(z.object({ field: text, message: text })) }),
  },
} as const;
