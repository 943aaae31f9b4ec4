import { z } from "zod";
import {
  changed,
  dryRunAnswer,
  dryRunQuery,
  listOf,
  missing,
  plainMap,
  reference,
  sliceQuery,
  text,
  time,
  formField,
} from "./values.js";

const type = z.object({
  name: text,
  title: text,
  icon: text,
  description: text,
  version: z.number(),
  fields: z.array(formField),
});
const record = z
  .looseObject({
    _id: text,
    _type: text,
    _createdAt: time,
    _updatedAt: time,
  })
  .meta({ id: "FlexRecord", description: "A record: meta fields and the fields of its type" });
const readRecord = record.extend({
  _published: z.boolean().describe("False: hidden from visitors"),
});
const deleted = z.object({
  deleted: z.literal(true),
  _type: text,
  _id: text,
  references: z.array(reference).optional().describe("Pages and records that named it"),
});

/** Records and their types: queries, bodies and responses by route. */
export const recordsApi = {
  "GET /flex": { responses: { 200: z.object({ items: z.array(type) }), ...missing } },
  "GET /flex/:type": {
    query: z.object({
      ...sliceQuery(500),
      q: z.string().max(200).default("").describe("Text that a value contains, in any case"),
    }),
    responses: { 200: listOf(readRecord), ...missing },
  },
  "GET /flex/:type/:id": { responses: { 200: readRecord, ...missing } },
  "POST /flex/:type": {
    query: dryRunQuery,
    body: plainMap,
    responses: { 200: dryRunAnswer, 201: record, ...changed },
  },
  "PUT /flex/:type/:id": {
    query: dryRunQuery,
    body: plainMap,
    responses: { 200: z.union([record, dryRunAnswer]), ...changed },
  },
  "DELETE /flex/:type/:id": { responses: { 200: z.union([record, deleted]), ...changed } },
};
