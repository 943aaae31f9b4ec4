import type { DiffLine, HistoryService } from "../../../history/contract.js";
import { contentPath } from "../../write/page-source.js";
import { checked } from "../../write/save-page.js";
import {
  ifMatch,
  note,
  notFound,
  selected,
  writeOptions,
  type AdminContext,
  type Exchange,
  type IdentifiedExchange,
} from "../admin-context.js";
import { z } from "zod";
import { pagesApi } from "../../schemas/pages.js";

const VERSION = /^(.+?)\/([1-9]\d{0,8})(\/diff|\/restore)?$/;

/** Versions of pages: list, read, compare, restore. */
export function historyRoutes(context: AdminContext): void {
  const { admin } = context;
  const list = pagesApi["GET /history/*path"].responses;
  admin.route({
    method: "get",
    path: "/history/*path",
    permission: "pages.read",
    summary:
      "Versions of a page; /{n} returns one, /{n}/diff compares it with the current page or with ?to=",
    paths: ({ params }) => [parsePagePath(params["path"])],
    responses: {
      ...list,
      200: z.union([
        list[200],
        pagesApi["GET /history/*path/:n"].responses[200],
        pagesApi["GET /history/*path/:n/diff"].responses[200],
      ]),
    },
    handler: (req, res, { params }) => read(context, { req, res }, params["path"] ?? ""),
  });
  admin.route({
    method: "post",
    path: "/history/*path",
    permission: "pages.update",
    summary: "Restore a version: POST …/{n}/restore",
    paths: ({ params }) => [parsePagePath(params["path"])],
    responses: pagesApi["POST /history/*path/:n/restore"].responses,
    handler: (req, res, { params, identity }) =>
      restore(context, { req, res, identity }, params["path"] ?? ""),
  });
}

/** The page of a path that may end with a version. */
function parsePagePath(path = ""): string {
  return VERSION.exec(path)?.[1] ?? path;
}

async function read({ site }: AdminContext, { req, res }: Exchange, path: string): Promise<void> {
  const history = selected(site.use("history", { optional: true }), "history");
  const [, page, n, action] = VERSION.exec(path) ?? [];
  if (page === undefined || n === undefined) {
    const sourcePath = contentPath(path);
    const items = await history.list(sourcePath);
    const isKnown = items.length > 0 || (await site.use("content").source(sourcePath)) !== null;
    if (!isKnown) throw notFound();
    await site.http.json(req, res, { items, total: items.length });
    return;
  }
  const sourcePath = contentPath(page);
  if (action === "/diff") {
    await site.http.json(
      req,
      res,
      await difference(history, sourcePath, Number(n), req.query["to"]),
    );
    return;
  }
  const revision = action === undefined ? await history.get(sourcePath, Number(n)) : null;
  if (revision === null) throw notFound();
  await site.http.json(req, res, revision);
}

/** The difference between a version and another one, or the current page. */
async function difference(
  history: HistoryService,
  sourcePath: string,
  n: number,
  to: unknown,
): Promise<{ lines: readonly DiffLine[]; additions: number; deletions: number }> {
  const other = typeof to === "string" && /^[1-9]\d{0,8}$/.test(to) ? Number(to) : undefined;
  const lines = await history.diff(sourcePath, n, other);
  const count = (kind: DiffLine["kind"]): number =>
    lines.filter((line) => line.kind === kind).length;
  return { lines, additions: count("added"), deletions: count("removed") };
}

async function restore(
  context: AdminContext,
  { req, res, identity }: IdentifiedExchange,
  path: string,
): Promise<void> {
  const history = selected(context.site.use("history", { optional: true }), "history");
  const [, page, n, action] = VERSION.exec(path) ?? [];
  if (page === undefined || n === undefined || action !== "/restore") throw notFound();
  const sourcePath = contentPath(page);
  const revision = await history.get(sourcePath, Number(n));
  if (revision === null) throw notFound();
  const ifHash = ifMatch(req);
  const options = { ...writeOptions(identity), ...(ifHash !== undefined && { ifHash }) };
  const result = checked(await history.restore(sourcePath, Number(n), options));
  if (result.status === "error") {
    await context.site.http.json(
      req,
      res,
      { error: result.errors[0] ?? "the page has changed" },
      { status: 409 },
    );
    return;
  }
  const detail = { revision: Number(n) };
  note(context, req, {
    event: "page.restore",
    actor: identity,
    target: { type: "page", id: sourcePath },
    detail,
  });
  await context.site.http.json(req, res, { restored: true, sourcePath, revision: Number(n) });
}
