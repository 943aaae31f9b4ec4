import { z } from "zod";
import {
  changed,
  count,
  dryRunAnswer,
  dryRunQuery,
  error,
  invalid,
  lacks,
  listOf,
  missing,
  pageMoved,
  person,
  sourcePath,
  status,
  text,
  time,
} from "./values.js";

const DAY_SECONDS = 86_400;
const etag = z.string().max(100);
const reviewNote = z.string().trim().max(2_000).default("");
const review = z
  .object({
    requestedAt: time,
    by: person,
    note: text.describe("What the author wrote to the reviewer; empty without"),
    sentBack: z
      .object({ at: time, by: person, note: text })
      .nullable()
      .describe("The reviewer's answer; null while the request waits"),
  })
  .nullable();
const row = z.object({
  sourcePath: text,
  title: text,
  author: person,
  createdAt: time,
  updatedAt: time,
  etag: text.describe("Digest of the text: the `ETag`"),
  baseEtag: text.describe("Digest of the live file that it began from; empty: there was none"),
  isBehind: z.boolean().describe("True when the live file has changed since"),
  review,
  plan: z
    .object({
      at: time,
      by: person,
      problem: text
        .nullable()
        .describe("Why the changes were not, or will not be published; null: they will"),
    })
    .nullable()
    .describe("When its changes are published; null: not planned"),
});
const draft = row
  .extend({ content: text })
  .meta({ id: "WorkingCopy", description: "The working copy of a page" });
const savedDraft = draft.extend({
  merged: z.boolean().describe("True when the edit of another person was merged into it"),
});
/** Both texts of a save that conflicts, and what they were made from. */
export const saveConflict = z.object({
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
/** The action of a schedule. */
export const action = z.enum(["publish", "unpublish"]);
const pagePath = z.string().min(1).max(1024);
const planned = z.object({ sourcePath: text, title: text, action, scheduledAt: text });
const listedPlan = planned.extend({
  action: z.enum([...action.options, "changes"]).describe("`changes`: those of a live page"),
  problem: text.nullable().describe("Why planned changes were not, or will not be published"),
  lacks,
});
/** The time of a schedule. */
export const scheduledAt = z.iso
  .datetime({ offset: true })
  .transform((moment) => Date.parse(moment))
  .describe("Time with offset: 2026-06-01T08:00:00+02:00");

const moment = z.string().min(1).max(100).nullable().default(null);
const link = z.object({
  id: text,
  path: text,
  createdAt: time,
  expiresAt: time,
  createdBy: person,
  at: text.nullable(),
  rev: text.nullable(),
});

/** Working copies, previews, status and schedule: queries, bodies and responses by route. */
export const workflowApi = {
  "GET /drafts": {
    query: z.object({
      path: z.string().max(1_000).optional().describe("Only the one of this page: its source path"),
      review: z
        .enum(["requested", "sent-back"])
        .optional()
        .describe("Only those that wait for a review, or were sent back to their author"),
    }),
    responses: { 200: listOf(row.extend({ lacks })) },
  },
  "GET /drafts/*path": { responses: { 200: draft, ...missing } },
  "PUT /drafts/*path": {
    query: dryRunQuery,
    body: z.object({
      content: z.string(),
      baseEtag: etag.optional().describe("ETag of the live file that the text takes into account"),
      base: z.string().optional().describe("The text that was edited; needed to merge"),
      review: z.literal(true).optional().describe("Also asks for a review"),
      note: reviewNote.describe("With `review`: what the reviewer should know"),
    }),
    responses: {
      200: z.union([savedDraft, dryRunAnswer]),
      201: savedDraft,
      409: z.union([pageMoved, error, saveConflict]),
      ...missing,
      413: error,
    },
  },
  "DELETE /drafts/*path": {
    responses: {
      200: z.object({ discarded: z.literal(true), sourcePath: text }),
      ...missing,
      409: error,
    },
  },
  "POST /drafts/*path/review": {
    body: z.object({
      requested: z.boolean(),
      note: reviewNote.describe("What the reviewer should know"),
    }),
    responses: { 200: row, ...missing },
  },
  "POST /drafts/*path/send-back": {
    body: z.object({ note: reviewNote.describe("What the author should change") }),
    responses: { 200: row, ...missing, 409: error },
  },
  "POST /drafts/*path/schedule": {
    body: z.object({ scheduledAt }),
    responses: { 201: row, ...missing, 400: error },
  },
  "DELETE /drafts/*path/schedule": { responses: { 200: row, ...missing } },
  "GET /drafts/*path/changes": {
    responses: {
      200: z.object({
        sourcePath: text,
        title: text,
        isNew: z.boolean().describe("True when there is no live page yet"),
        hasConflict: z
          .boolean()
          .describe("True when the live page has changed at the same places since"),
        fields: z.array(
          z.object({ name: text, label: text, before: z.unknown(), after: z.unknown() }),
        ),
        text: z.array(
          z.union([
            z.object({ kind: z.literal("equal"), count }),
            z.object({
              kind: z.literal("change"),
              before: text.nullable(),
              after: text.nullable(),
            }),
          ]),
        ),
      }),
      ...missing,
    },
  },
  "POST /drafts/*path/publish": {
    body: z.object({
      etag: etag.optional().describe("ETag of the working copy"),
      status: z.literal("published").optional().describe("Also gives the page this status"),
      message: z.string().max(1_000).optional(),
      note: reviewNote.describe("Answers a request for a review: in the mail to its author"),
    }),
    responses: {
      200: z.object({
        published: z.literal(true),
        sourcePath: text,
        etag: text,
        merged: z.boolean(),
      }),
      404: error,
      409: z.union([pageMoved, error, publishConflict]),
      413: error,
      422: invalid,
    },
  },
  "POST /preview": {
    body: z.object({
      path: sourcePath,
      content: z.string(),
      theme: z
        .string()
        .max(262_144)
        .optional()
        .describe(
          "JSON with preset, look, custom and name: a theme and settings that are not saved",
        ),
    }),
    responses: {
      200: z.object({
        html: text,
        title: text,
        url: text,
        warnings: invalid.shape.validationErrors,
      }),
      404: error,
      409: error,
      413: error,
      422: error,
    },
  },
  "GET /preview-links": { responses: { 200: listOf(link) } },
  "POST /preview-links": {
    body: z.object({
      path: sourcePath,
      expiresIn: z
        .int()
        .min(60)
        .max(90 * DAY_SECONDS)
        .default(7 * DAY_SECONDS)
        .describe("Seconds"),
      at: moment.describe("Shows the site at this time: 2027-06-01T09:00Z"),
      rev: moment.describe("Shows the site as of this commit"),
    }),
    responses: {
      201: link.extend({ url: text.describe("Shown only once") }),
      400: error,
      403: error,
      404: error,
      409: error,
      422: error,
      503: error,
    },
  },
  "DELETE /preview-links/:id": {
    responses: { 200: z.object({ revoked: z.literal(true), id: text }), ...missing },
  },
  "GET /workflow/status/*path": {
    responses: {
      200: z.object({ sourcePath: text, status, allowedTransitions: z.array(status) }),
      ...missing,
    },
  },
  "POST /workflow/transition": {
    body: z.object({ path: pagePath, to: status }),
    responses: {
      200: z.object({ transitioned: z.literal(true), sourcePath: text, from: status, to: status }),
      ...changed,
    },
  },
  "GET /workflow/scheduled": { responses: { 200: listOf(listedPlan), ...missing } },
  "GET /workflow/scheduled/*path": { responses: { 200: listOf(planned), ...missing } },
  "POST /workflow/schedule": {
    body: z.object({
      path: pagePath,
      action,
      scheduledAt,
    }),
    responses: { 201: planned.omit({ title: true }), ...changed },
  },
  "DELETE /workflow/schedule/*path": {
    query: z.object({ action }),
    responses: { 200: z.object({ dropped: z.literal(true), sourcePath: text }), ...changed },
  },
};
