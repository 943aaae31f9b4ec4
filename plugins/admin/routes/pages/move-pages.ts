import { HttpError } from "#kernel";
import type { MoveReport, PageReference } from "../../../check/contract.js";
import type { ApplyOptions, PageEntry } from "../../../content/contract.js";
import { contentPath } from "../../write/page-source.js";
import { pathAfter, reorderMoves, type Move } from "../../write/reorder.js";
import { checked } from "../../write/save-page.js";
import {
  note,
  notFound,
  selected,
  writeOptions,
  type AdminContext,
  type IdentifiedRequest,
} from "../admin-context.js";
import { pathsToDelete } from "./trash.js";
import { pagesApi } from "../../schemas/pages.js";
const LIMIT = 16_384;

/** Moves pages: to another folder or name, or to another position among siblings. */
export function moveRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "post",
    path: "/pages/move",
    permission: "pages.update",
    summary: "Move a page's file or folder",
    responses: pagesApi["POST /pages/move"].responses,
    body: { as: "json", limit: LIMIT, schema: pagesApi["POST /pages/move"].body },
    handler: async (req, res, { body, identity }) => {
      const from = contentPath(body.path);
      const to = contentPath(body.to);
      const made = redirectsOfMove(context, from, to);
      if (made !== null) {
        await site.http.json(req, res, {
          moved: true,
          path: from,
          to,
          rewritten: [],
          redirects: { ...made },
        });
        return;
      }
      assertPage(context, from);
      const moves = [{ path: from, to }];
      const { redirect } = body;
      const { rewritten, redirects } = await applyMoves(
        context,
        { req, identity },
        { moves, redirect },
      );
      await site.http.json(req, res, { moved: true, path: from, to, rewritten, redirects });
    },
  });
  admin.route({
    method: "post",
    path: "/pages/reorder",
    permission: "pages.update",
    summary: "Put a page before or after a sibling: renumbers the prefixes",
    responses: pagesApi["POST /pages/reorder"].responses,
    body: { as: "json", limit: LIMIT, schema: pagesApi["POST /pages/reorder"].body },
    handler: async (req, res, { body, identity }) => {
      const sourcePath = contentPath(body.path);
      assertPage(context, sourcePath);
      const { entries } = site.use("content").generation();
      const target = contentPath(body.target);
      const moves = reorderMoves(entries, { path: sourcePath, target, position: body.position });
      if (moves === null) throw new HttpError(400, "both must be ordered pages in the same folder");
      if (moves.length > 0) await applyMoves(context, { req, identity }, { moves, redirect: true });
      await site.http.json(req, res, { sourcePath: pathAfter(sourcePath, moves), moves });
    },
  });
}

/** Links to a page. Declared before the page routes, whose paths match anything. */
export function referenceRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "get",
    path: "/pages/*path/references",
    permission: "pages.read",
    summary: "Links and relations to a page; with folder=true to its media and the pages below too",
    responses: pagesApi["GET /pages/*path/references"].responses,
    query: pagesApi["GET /pages/*path/references"].query,
    handler: async (req, res, { params, query }) => {
      const sourcePath = contentPath(params["path"] ?? "");
      if (!site.use("content").generation().bySource.has(sourcePath)) throw notFound();
      selected(site.use("check", { optional: true }), "check");
      const items = (await findReferences(context, sourcePath, query.hasFolder)) ?? [];
      await site.http.json(req, res, { items, total: items.length });
    },
  });
}

/** What leads to a page and what is deleted with it, from elsewhere. Null without the plugin `check`, or without page. */
export async function findReferences(
  context: AdminContext,
  sourcePath: string,
  hasFolder: boolean,
): Promise<readonly PageReference[] | null> {
  const check = context.site.use("check", { optional: true });
  const entry = context.site.use("content").generation().bySource.get(sourcePath);
  if (check === undefined || entry === undefined) return null;
  return check.references(...(await pathsToDelete(context, entry, hasFolder)));
}

/** Accepts the path of a page, or of a folder that contains pages. */
function assertPage(context: AdminContext, sourcePath: string): void {
  if (pagesAt(context, sourcePath).length === 0) throw notFound();
}

/** The page at a path, or the pages below a folder. */
function pagesAt({ site }: AdminContext, path: string): readonly PageEntry[] {
  const { bySource, entries } = site.use("content").generation();
  const page = bySource.get(path);
  if (page !== undefined) return [page];
  return entries.filter((entry) => entry.sourcePath.startsWith(`${path}/`));
}

/**
 * The redirects of the site when a move has been made already: its client lost the response and sends it again.
 * Null: it has not, as far as redirects to its target say.
 */
function redirectsOfMove(
  context: AdminContext,
  from: string,
  to: string,
): MoveReport["redirects"] | null {
  const redirects = context.site.use("check", { optional: true })?.redirects.current;
  if (redirects === undefined || pagesAt(context, from).length > 0) return null;
  const targets = new Set(Object.values(redirects));
  const isTarget = pagesAt(context, to).some(({ url }) => targets.has(decodeURI(url)));
  return isTarget ? redirects : null;
}

/** Moves of pages. */
interface MoveRequest {
  readonly moves: readonly Move[];
  /** True: the old addresses redirect to the new ones. */
  readonly redirect: boolean;
}

/** Applies all moves or none. With the plugin `check`, also updates links and redirects. */
export async function applyMoves(
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  { moves, redirect }: MoveRequest,
): Promise<Pick<MoveReport, "rewritten" | "redirects">> {
  const options = { ...writeOptions(identity), message: "move" };
  const check = context.site.use("check", { optional: true });
  const report =
    check === undefined
      ? await plainMoves(context, moves, options)
      : await check.move(moves, { ...options, redirect });
  for (const result of report.results)
    if (checked(result).status === "error") {
      throw new HttpError(409, "a page was changed in the meantime", {
        code: "ERR_ADMIN_CONFLICT",
      });
    }
  if (!report.ok) throw new HttpError(409, "the pages could not be moved");
  const detail = { to: moves[0]?.to ?? "", moves: moves.length };
  const target = { type: "page", id: moves[0]?.path ?? "" };
  note(context, req, { event: "page.move", actor: identity, target, detail });
  return report;
}

async function plainMoves(
  { site }: AdminContext,
  moves: readonly Move[],
  options: ApplyOptions,
): Promise<Pick<MoveReport, "ok" | "results" | "rewritten" | "redirects">> {
  const content = site.use("content");
  const changes = moves.map((move) => ({ op: "move", ...move }) as const);
  const dry = await content.apply(changes, { ...options, dryRun: true });
  const isFine = dry.every(({ status }) => status !== "error");
  const results = isFine ? await content.apply(changes, options) : dry;
  return {
    ok: results.every(({ status }) => status !== "error"),
    results,
    rewritten: [],
    redirects: {},
  };
}
