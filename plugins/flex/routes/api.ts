import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError, type Hooks, type Http } from "#kernel";
import type { JsonOptions } from "#kernel/internal";
import type { FlexListQuery } from "../contract.js";
import type { FlexObjects } from "../flex-objects.js";
import { isFlexName } from "../types/names.js";
import { isListParameter, listQuery, parseListQuery } from "../params.js";
import { jsonArray, type RecordSlice } from "../records/record-list.js";

const recordShape = z
  .looseObject({
    _id: z.string(),
    _type: z.string(),
    _createdAt: z.number().describe("Unix ms"),
    _updatedAt: z.number().describe("Unix ms"),
  })
  .describe("A record: meta fields and the fields of its type");
const errorShape = z.object({ error: z.string() });

/** What the routes need. */
export interface FlexApiParts {
  readonly http: Http;
  readonly hooks: Pick<Hooks, "has">;
  readonly flex: FlexObjects;
}

/** `GET /api/flex/{type}` and `GET /api/flex/{type}/{id}`. */
export function mountFlexApi(parts: FlexApiParts): void {
  const { http } = parts;
  http.jsonPrefix("/api/flex");
  http.route({
    method: "get",
    path: "/api/flex/:type",
    summary: "Records of a type, newest first",
    query: listQuery,
    parameters: isListParameter,
    responses: { 200: z.array(recordShape), 400: errorShape, 404: errorShape },
    handler: (req, res, { params }) => sendList(parts, { req, res, type: params["type"] ?? "" }),
  });
  http.route({
    method: "get",
    path: "/api/flex/:type/:id",
    summary: "One record",
    parameters: () => false,
    responses: { 200: recordShape, 404: errorShape },
    handler: (req, res, { params }) => {
      const { type = "", id = "" } = params;
      return sendRecord(parts, { req, res, type, id });
    },
  });
}

interface ListRequest {
  readonly req: Request;
  readonly res: Response;
  readonly type: string;
}

async function sendList(parts: FlexApiParts, { req, res, type }: ListRequest): Promise<void> {
  const list = isFlexName(type) ? await parts.flex.recordList(type) : null;
  if (list === null) throw new HttpError(404, "Not found");
  const query = parseListQuery(req.ctx.search);
  const slice = list.select(query);
  const headers = { "X-Total-Count": String(slice.total), ...linkHeader(req, query, slice.total) };
  const options: JsonOptions = { headers, cache: { tags: new Set([`flex:${type}`]) } };
  if (parts.hooks.has("onApiResponse")) {
    await parts.http.json(
      req,
      res,
      slice.records.map(({ record }) => record),
      options,
    );
    return;
  }
  const isWhole = Object.keys(query).length === 0;
  const body = isWhole ? list.json() : jsonOf(slice);
  parts.http.send(req, res, { ...options, type: "application/json; charset=utf-8", body });
}

function jsonOf({ records }: RecordSlice): string {
  return jsonArray(records);
}

async function sendRecord(
  { flex, http }: FlexApiParts,
  { req, res, type, id }: ListRequest & { readonly id: string },
): Promise<void> {
  const record = isFlexName(type) && isFlexName(id) ? await flex.get(type, id) : null;
  if (record === null) throw new HttpError(404, "Not found");
  await http.json(req, res, record, { cache: { tags: new Set([`flex:${type}`]) } });
}

/** Links to the neighbouring slices (RFC 8288); empty for an unsliced list. */
function linkHeader(req: Request, query: FlexListQuery, total: number): { Link?: string } {
  const { limit, offset = 0 } = query;
  if (limit === undefined) return {};
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const targets: [rel: string, offset: number][] = [["first", 0]];
  if (offset > 0) targets.push(["prev", Math.max(0, offset - limit)]);
  if (offset + limit < total) targets.push(["next", offset + limit]);
  targets.push(["last", last]);
  const links = targets.map(([rel, start]) => `<${addressAt(req, start)}>; rel="${rel}"`);
  return { Link: links.join(", ") };
}

function addressAt(req: Request, offset: number): string {
  const given = [...new URLSearchParams(req.ctx.search)];
  const query = new URLSearchParams(
    given.filter(([name]) => isListParameter(name.replace(/\[.*/s, ""))),
  );
  query.set("offset", String(offset));
  return `${req.ctx.path}?${query.toString()}`;
}
