import type { Request, Response } from "express";
import { HttpError } from "#kernel";
import type { FieldMoment } from "#lib/fields";
import type { PageReference } from "../../check/contract.js";
import type {
  FlexChange,
  FlexChangeResult,
  FlexService,
  FlexRecord,
  FlexType,
} from "../../flex/contract.js";
import type { AdminIdentity } from "../contract.js";
import { writeFailure } from "../write/save-page.js";
import {
  ifMatch,
  note,
  notFound,
  selected,
  writeOptions,
  type AdminContext,
  sendDryRun,
} from "./admin-context.js";
import { toFormFields } from "./pages/page-types.js";
import { recordsApi } from "../schemas/records.js";

const LIMIT = 2 * 1_048_576;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const STATUS: Readonly<Record<string, number>> = {
  ERR_FLEX_AUDIENCE: 403,
  ERR_FLEX_CONFLICT: 409,
  ERR_FLEX_EXISTS: 409,
  ERR_FLEX_FORBIDDEN: 403,
  ERR_FLEX_INVALID: 422,
  ERR_FLEX_LIMITED: 403,
  ERR_FLEX_RECORD: 404,
  ERR_FLEX_TYPE: 404,
};

/** Flex objects: types, and creating, reading, changing and deleting records. */
export function flexRoutes(context: AdminContext): void {
  const { admin, site } = context;
  const flex = (): FlexService => selected(site.use("flex", { optional: true }), "flex");
  admin.route({
    method: "get",
    path: "/flex",
    permission: "flex.read",
    summary: "Types of records with their fields",
    responses: recordsApi["GET /flex"].responses,
    handler: (req, res) => {
      const { runtime, settings } = site;
      const moment = { now: runtime.clock.now(), timezone: settings.system.timezone };
      const items = flex()
        .types()
        .map((type) => typeView(type, moment));
      return site.http.json(req, res, { items });
    },
  });
  admin.route({
    method: "get",
    path: "/flex/:type",
    permission: "flex.read",
    summary: "Records of a type including unpublished ones, newest first",
    responses: recordsApi["GET /flex/:type"].responses,
    query: recordsApi["GET /flex/:type"].query,
    handler: async (req, res, { params, query }) => {
      const all = await flex().all(readType(flex(), params));
      const { limit, offset, q } = query;
      const records = q === "" ? all : all.filter((record) => hasWords(record, q));
      const slice = records.slice(offset, offset + limit);
      const items = await Promise.all(slice.map((record) => recordView(flex(), record)));
      await site.http.json(req, res, { items, total: records.length });
    },
  });
  admin.route({
    method: "get",
    path: "/flex/:type/:id",
    permission: "flex.read",
    summary: "One record with its ETag",
    responses: recordsApi["GET /flex/:type/:id"].responses,
    handler: async (req, res, { params }) => {
      const source = await flex().source(readType(flex(), params), readId(params));
      if (source === null) throw notFound();
      const record = await recordView(flex(), source.record);
      await site.http.json(req, res, record, { headers: { ETag: `"${source.hash}"` } });
    },
  });
  addWrites(context, flex);
}

function addWrites(context: AdminContext, flex: () => FlexService): void {
  const { admin, site } = context;
  admin.route({
    method: "post",
    path: "/flex/:type",
    permission: "flex.write",
    summary: "Create a record",
    responses: recordsApi["POST /flex/:type"].responses,
    query: recordsApi["POST /flex/:type"].query,
    body: { as: "json", limit: LIMIT, schema: recordsApi["POST /flex/:type"].body },
    tool: { name: "create_record", description: "Create a record of a type" },
    handler: (req, res, { query, params, body: data, identity }) =>
      apply(
        context,
        { req, res, identity, ...query },
        { op: "create", type: readType(flex(), params), data: own(data) },
      ),
  });
  admin.route({
    method: "put",
    path: "/flex/:type/:id",
    permission: "flex.write",
    summary: "Change a record; If-Match as for pages",
    responses: recordsApi["PUT /flex/:type/:id"].responses,
    query: recordsApi["PUT /flex/:type/:id"].query,
    body: { as: "json", limit: LIMIT, schema: recordsApi["PUT /flex/:type/:id"].body },
    tool: { name: "write_record", description: "Change fields of a record; others stay" },
    handler: (req, res, { query, params, body: data, identity }) => {
      const change = {
        op: "update",
        type: readType(flex(), params),
        id: readId(params),
        data: own(data),
      } as const;
      return apply(context, { req, res, identity, ...query }, { ...change, ...hashOf(req) });
    },
  });
  admin.route({
    method: "delete",
    path: "/flex/:type/:id",
    permission: "flex.write",
    summary: "Delete a record",
    responses: recordsApi["DELETE /flex/:type/:id"].responses,
    handler: async (req, res, { params, identity }) => {
      const change = { op: "delete", type: readType(flex(), params), id: readId(params) } as const;
      const path = `flex-objects/${change.type}/${change.id}.yaml`;
      const references = await site.use("check", { optional: true })?.references(path);
      const call = { req, res, identity, references };
      return apply(context, call, { ...change, ...hashOf(req) });
    },
  });
}

interface FlexCall {
  readonly req: Request;
  readonly res: Response;
  readonly identity: AdminIdentity;
  /** True: nothing is written. */
  readonly dryRun?: boolean;
  /** The places that name a record that is deleted. */
  readonly references?: readonly PageReference[] | undefined;
}

async function apply(
  context: AdminContext,
  { req, res, identity, references, dryRun = false }: FlexCall,
  change: FlexChange,
): Promise<void> {
  const flex = selected(context.site.use("flex", { optional: true }), "flex");
  const before =
    dryRun && change.op === "update" ? await flex.source(change.type, change.id) : null;
  const [result] = await flex.apply([change], { ...writeOptions(identity), dryRun });
  if (result === undefined) throw notFound();
  if (result.status === "error") throw refusal(result);
  if (dryRun) {
    const path = `${result.type}/${change.op === "create" ? "new" : result.id}`;
    const tried = { path, before: serialize(before?.record), after: serialize(result.record) };
    return sendDryRun(context, { req, res }, [tried], before?.hash);
  }
  const target = { type: "flex", id: `${result.type}/${result.id}` };
  note(context, req, { event: `flex.${change.op}`, actor: identity, target });
  const status = result.status === "created" ? 201 : 200;
  const body = result.record ?? { deleted: true, _type: result.type, _id: result.id, references };
  await context.site.http.json(req, res, body, { status });
}

/** The fields of a record as a text that can be compared. */
function serialize(record: Readonly<Record<string, unknown>> | null | undefined): string | null {
  return record === null || record === undefined ? null : JSON.stringify(own(record), null, 2);
}

function refusal({ code, errors, systemCode }: FlexChangeResult): HttpError {
  const message = errors[0]?.message ?? "the record cannot be saved";
  if (code === "ERR_FLEX_WRITE") return writeFailure(message, code, systemCode);
  const status = STATUS[code ?? ""] ?? 400;
  const validationErrors = errors.map(({ field, message: text }) => ({ field, message: text }));
  return new HttpError(status, message, {
    details: errors,
    ...(status === 422 && { validationErrors }),
    ...(code !== null && { code }),
  });
}

/** Without meta fields, which the site manages. */
function own(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !key.startsWith("_")));
}

function readType(flex: FlexService, params: Record<string, string>): string {
  const type = params["type"] ?? "";
  if (!NAME.test(type) || flex.type(type) === undefined) throw notFound();
  return type;
}

function readId(params: Record<string, string>): string {
  const id = params["id"] ?? "";
  if (!NAME.test(id)) throw notFound();
  return id;
}

function hashOf(req: Request): { ifHash?: string } {
  const ifHash = ifMatch(req);
  return ifHash === undefined ? {} : { ifHash };
}

/** A type with what a form needs of its fields. */
function typeView({ fields, ...type }: FlexType, moment: FieldMoment): Record<string, unknown> {
  return { ...type, fields: toFormFields(fields, moment) };
}

/** The record with `_published`: false when it is hidden from visitors. */
async function recordView(
  flex: FlexService,
  record: FlexRecord,
): Promise<FlexRecord & { _published: boolean }> {
  const isPublished = (await flex.get(record._type, record._id)) !== null;
  return { ...record, _published: isPublished };
}

/** True when a value of the record, or its id, contains the words, in any case. */
export function hasWords(record: FlexRecord, words: string): boolean {
  const needle = words.toLowerCase();
  return Object.entries(record).some(
    ([name, value]) => (name === "_id" || !name.startsWith("_")) && contains(value, needle),
  );
}

function contains(value: unknown, needle: string): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === "object") return Object.values(value).some((one) => contains(one, needle));
  return String(value).toLowerCase().includes(needle);
}
