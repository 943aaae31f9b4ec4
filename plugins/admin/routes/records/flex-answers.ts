import { z } from "zod";
import { changed } from "../answers.js";
import { dryRunAnswer } from "../dry-run.js";
import { formField } from "../form-field.js";

/** Responses of the routes of records. */
const text = z.string();
const missing = { 404: changed[404] };
const record = z
  .looseObject({
    _id: text,
    _type: text,
    _createdAt: z.number(),
    _updatedAt: z.number(),
    _published: z.boolean().optional().describe("Of reads; false: hidden from visitors"),
  })
  .meta({ id: "FlexRecord", description: "A record: meta fields and the fields of its type" });
const deleted = z.object({
  deleted: z.literal(true),
  _type: text,
  _id: text,
  references: z
    .array(z.looseObject({ from: text, text, line: z.int() }))
    .optional()
    .describe("Pages and records that named it"),
});

/** Responses of each route, without those common to all guarded routes. */
export const flexAnswers = {
  types: {
    200: z.object({
      items: z.array(z.looseObject({ name: text, title: text, fields: z.array(formField) })),
    }),
    ...missing,
  },
  records: { 200: z.object({ items: z.array(record), total: z.int().min(0) }), ...missing },
  record: { 200: record, ...missing },
  create: { 200: dryRunAnswer, 201: record, ...changed },
  update: { 200: z.union([record, dryRunAnswer]), ...changed },
  delete: { 200: z.union([record, deleted]), ...changed },
} as const;
