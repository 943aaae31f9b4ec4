import type { Request, Response } from "express";
import { z } from "zod";
import {
  type ExtensionList,
  type Extensions,
  FAILED_PART_MS,
  type Hooks,
  type Http,
  HttpError,
  type JsonOptions,
  type SiteContext,
} from "#kernel";
import {
  INCLUDE_RULES,
  pickFields,
  resolveName,
  unknownName,
  type QueryResult,
  type QueryText,
} from "#lib/query";
import type { ContentView, Viewer } from "../../content/contract.js";
import type { FlexObjects } from "../flex-objects.js";
import { isFlexName } from "../records/flex-files.js";
import { isListParameter, listQuery, parseListQuery, readTypedQuery } from "../params.js";
import { jsonArray, type RecordList } from "../records/record-list.js";
import type { StoredRecord } from "../records/record-file.js";

const recordShape = z
  .looseObject({
    _id: z.string(),
    _type: z.string(),
    _createdAt: z.number().describe("Unix ms"),
    _updatedAt: z.number().describe("Unix ms"),
  })
  .describe("A record: meta fields and the fields of its type");
/** The second form with `fields`. */
const recordsShape = z.union([z.array(recordShape), z.array(z.record(z.string(), z.unknown()))]);
const errorShape = z.object({ error: z.string() });

/** Dependencies of the routes. */
interface FlexApiDependencies {
  readonly http: Http;
  readonly hooks: Pick<Hooks, "has">;
  readonly flex: FlexObjects;
  readonly includes: RecordIncludeList;
  /** The tree as a visitor sees it. */
  view(viewer: Viewer | undefined): ContentView;
}

/** `GET /api/flex/{type}` and `GET /api/flex/{type}/{id}`. */
export function mountFlexApi(parts: FlexApiDependencies): void {
  const { http } = parts;
  http.jsonPrefix("/api/flex");
  http.route({
    method: "get",
    path: "/api/flex/:type",
    summary: "Records of a type, newest first",
    query: listQuery,
    parameters: isListParameter,
    responses: {
      200: recordsShape,
      400: errorShape,
      404: errorShape,
    },
    tool: { name: "list_records", description: "List the records of a type, the newest first" },
    handler: (req, res, { params }) => sendList(parts, { req, res, type: params["type"] ?? "" }),
  });
  http.route({
    method: "get",
    path: "/api/flex/:type/:id",
    summary: "One record",
    parameters: () => false,
    responses: { 200: recordShape, 404: errorShape },
    tool: { name: "read_record", description: "One record of a type by its id" },
    handler: (req, res, { params }) => {
      const { type = "", id = "" } = params;
      return sendRecord(parts, { req, res, type }, id);
    },
  });
}

type Slice = Pick<Partial<ListQuery>, "limit" | "offset">;

interface FlexRequest {
  readonly req: Request;
  readonly res: Response;
  readonly type: string;
}

async function sendList(
  parts: FlexApiDependencies,
  { req, res, type }: FlexRequest,
): Promise<void> {
  const list = isFlexName(type) ? await parts.flex.recordList(type) : null;
  if (list === null) throw new HttpError(404, "Not found");
  await parts.flex.assertComplete(type);
  const typed = readTypedQuery(req.ctx.search);
  if (typed !== null) return sendQueried(parts, { req, res, type }, list, typed);
  const query = parseListQuery(req.ctx.search);
  const slice = list.select(query);
  const headers = { "X-Total-Count": String(slice.total), ...linkHeader(req, query, slice.total) };
  const options: JsonOptions = { headers, cache: { tags: new Set([`flex:${type}`]) } };
  if (parts.hooks.has("onApiResponse")) {
    await parts.http.json(
      req,
      res,
      slice.items.map(({ record }) => record),
      options,
    );
    return;
  }
  const isWhole = Object.keys(query).length === 0;
  const body = isWhole ? list.json() : jsonArray(slice.items);
  parts.http.send(req, res, { ...options, type: "application/json; charset=utf-8", body });
}

async function sendQueried(
  parts: FlexApiDependencies,
  { req, res, type }: FlexRequest,
  list: RecordList,
  query: ListQuery,
): Promise<void> {
  const view = parts.view(req.ctx.state.viewer);
  const { items, total, nextCursor } = await queriedRecords(list, query, { ...parts, view });
  const isByCursor = query.cursor !== null;
  const links = isByCursor ? cursorLink(req, nextCursor) : linkHeader(req, query, total);
  const headers = {
    "X-Total-Count": String(total),
    ...(nextCursor !== null && { "X-Next-Cursor": nextCursor }),
    ...links,
  };
  const cache = {
    tags: new Set([`flex:${type}`, ...view.reads]),
    until: view.expiresAt,
    private: view.personal,
  };
  await parts.http.json(req, res, items, { headers, cache });
}

async function sendRecord(
  { flex, http }: FlexApiDependencies,
  { req, res, type }: FlexRequest,
  id: string,
): Promise<void> {
  const record = isFlexName(type) && isFlexName(id) ? await flex.get(type, id) : null;
  if (record === null) {
    await flex.assertComplete(type, id);
    throw new HttpError(404, "Not found");
  }
  await http.json(req, res, record, { cache: { tags: new Set([`flex:${type}`]) } });
}

/** A link to the next slice (RFC 8288); empty after the last one. */
function cursorLink(req: Request, cursor: string | null): { Link?: string } {
  if (cursor === null) return {};
  return { Link: `<${addressAt(req, { cursor })}>; rel="next"` };
}

/** Links to the neighbouring slices (RFC 8288); empty for an unsliced list. */
function linkHeader(req: Request, query: Slice, total: number): { Link?: string } {
  const { limit, offset = 0 } = query;
  if (limit === undefined) return {};
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit;
  const targets: [rel: string, offset: number][] = [["first", 0]];
  if (offset > 0) targets.push(["prev", Math.max(0, offset - limit)]);
  if (offset + limit < total) targets.push(["next", offset + limit]);
  targets.push(["last", last]);
  const links = targets.map(
    ([rel, start]) => `<${addressAt(req, { offset: String(start) })}>; rel="${rel}"`,
  );
  return { Link: links.join(", ") };
}

function addressAt(req: Request, pointer: Readonly<Record<string, string>>): string {
  const parameters = [...new URLSearchParams(req.ctx.search)];
  const query = new URLSearchParams(
    parameters.filter(([name]) => isListParameter(name.replace(/\[.*/s, ""))),
  );
  for (const [name, value] of Object.entries(pointer)) query.set(name, value);
  return `${req.ctx.path}?${query.toString()}`;
}

/** A query with its slice. */
type ListQuery = QueryText & { offset: number; limit: number | undefined };

/** The names that `include=` accepts: the includes of all plugins. */
export class RecordIncludeList {
  readonly #list: ExtensionList<Extensions["recordIncludes"]>;
  readonly #now: () => number;

  constructor(site: Pick<SiteContext, "extensions" | "runtime">) {
    this.#list = site.extensions.open("recordIncludes", INCLUDE_RULES);
    this.#now = () => site.runtime.clock.now();
  }

  /** @throws HttpError 400 for a name that no include has. */
  assertName(name: string): void {
    const { keys } = this.#list;
    if (!keys.includes(name)) throw unknownName("include", name, [...keys]);
  }

  /** The values of the named includes for a record; one that fails is left out. */
  async valuesOf(
    names: readonly string[],
    { record }: StoredRecord,
    view: ContentView,
  ): Promise<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    for (const name of names) {
      const value: unknown = await this.#list.part(name)?.call(
        (include) => include.of(record, view),
        () => view.expireAt(this.#now() + FAILED_PART_MS),
      );
      if (value !== undefined) values[name] = value;
    }
    return values;
  }
}

/** The records of a query, as the response shows them. @throws HttpError 400 for an unknown name. */
async function queriedRecords(
  list: RecordList,
  query: ListQuery,
  { view, includes }: QueryDependencies,
): Promise<QueryResult<unknown>> {
  const { names, table } = list;
  for (const name of query.include) includes.assertName(name);
  const fields = query.fields?.map((name) => resolveName(names, name, "fields"));
  const order = query.order.map(({ name, dir }) => ({ name, dir: dir ?? ("asc" as const) }));
  const newest = { name: "_createdAt", dir: "desc" } as const;
  const whole = { ...query, order: order.length === 0 ? [newest] : order };
  const result = table.select(whole, query);
  const items: unknown[] = [];
  for (const stored of result.items) {
    const shown = fields === undefined ? stored.record : pickFields(stored, fields);
    items.push({ ...shown, ...(await includes.valuesOf(query.include, stored, view)) });
  }
  return { ...result, items };
}

/** Dependencies of queries. */
interface QueryDependencies {
  readonly view: ContentView;
  readonly includes: RecordIncludeList;
}
