import { z } from "zod";
import { changed } from "./answers.js";

/** Responses of the routes of records. */
const text = z.string();
const missing = { 404: changed[404] };
const record = z
  .looseObject({
    ...{ _id: text, _type: text, _createdAt: z.number(), _updatedAt: z.number() },
    _published: z.boolean().optional().describe("Of reads; false: hidden from visitors"),
  })
  .meta({ id: "FlexRecord", description: "A record: meta fields and the fields of its type" });
const bounds = { min: z.number().nullable(), max: z.number().nullable(), pattern: text.nullable() };
const field: z.ZodType = z
  .looseObject({
    ...{ name: text, type: text, label: text, help: text, required: z.boolean(), ...bounds },
    options: z.array(z.object({ value: text, label: text })),
    when: z.record(z.string(), z.array(z.unknown())).nullable(),
    ...{ group: text, tab: text, fields: z.array(z.lazy(() => field)) },
  })
  .meta({ id: "FormField", description: "A field of a type, as forms show it" });
const deleted = z.object({ deleted: z.literal(true), _type: text, _id: text });

/** Responses of each route, without those common to all guarded routes. */
export const flexAnswers = {
  types: {
    200: z.object({
      items: z.array(z.looseObject({ name: text, title: text, fields: z.array(field) })),
    }),
    ...missing,
  },
  records: { 200: z.object({ items: z.array(record), total: z.int().min(0) }), ...missing },
  record: { 200: record, ...missing },
  create: { 201: record, ...changed },
  update: { 200: record, ...changed },
  delete: { 200: z.union([record, deleted]), ...changed },
} as const;
