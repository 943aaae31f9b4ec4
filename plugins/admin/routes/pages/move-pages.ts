import { HttpError } from "#kernel";
import type { MoveReport, PageMove, PageReference, PageTarget } from "../../../check/contract.js";
import type { ApplyOptions, PageEntry } from "../../../content/contract.js";
import { reasonAgainst } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import { refusal } from "../../errors.js";
import { contentPath } from "../../write/page-source.js";
import { pathAfter, reorderMoves, type Move } from "../../write/reorder.js";
import { checked } from "../../write/save-page.js";
import {
  note,
  notFound,
  selected,
  writeOptions,
  type AdminContext,
  type Exchange,
  type IdentifiedRequest,
} from "../admin-context.js";
import { pathsToDelete } from "./trash.js";
import { arrangingApi } from "../../schemas/arranging.js";
import { pagesApi } from "../../schemas/pages.js";
const LIMIT = 16_384;

/** Moves pages: to another folder or name, or to another position among siblings. */
export function moveRoutes(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "post",
    path: "/pages/move",
    permission: "pages.update",
    summary: "Move a page: below another one, to another address, or its file or folder",
    // `parent` is a route: the write path checks the right at the path that it leads to.
    responses: arrangingApi["POST /pages/move"].responses,
    query: arrangingApi["POST /pages/move"].query,
    body: { as: "json", limit: LIMIT, schema: arrangingApi["POST /pages/move"].body },
    handler: async (req, res, { body, query, identity }) => {
      const path = contentPath(body.path);
      const { redirect, to } = body;
      const made = to === undefined ? null : redirectsOfMove(context, path, contentPath(to));
      if (made !== null) {
        const moves = [{ path, to: contentPath(to ?? "") }];
        await sendMove(context, { req, res }, { moved: true, path, moves, redirects: made });
        return;
      }
      if (to !== undefined) assertPage(context, path);
      const moves = movesOf(context, { ...body, path });
      const { dryRun } = query;
      const report =
        moves.length === 0
          ? null
          : await applyMoves(context, { req, identity }, { moves, redirect, dryRun });
      const moved = report !== null && !dryRun;
      await sendMove(context, { req, res }, { moved, path, moves, ...report });
    },
  });
  admin.route({
    method: "post",
    path: "/pages/reorder",
    permission: "pages.update",
    summary: "Put a page before or after a sibling: renumbers the prefixes",
    paths: ({ body }) => [body.path],
    responses: arrangingApi["POST /pages/reorder"].responses,
    body: { as: "json", limit: LIMIT, schema: arrangingApi["POST /pages/reorder"].body },
    handler: async (req, res, { body, identity }) => {
      const sourcePath = contentPath(body.path);
      // Its owners do not matter: the write path checks it if it gets another number.
      const reason = reasonAgainst(identity, "pages.update", body.target, null);
      if (reason !== null) throw refusal(403, "ERR_ADMIN_FORBIDDEN", reason);
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

/** A move as the response has it; what is absent is empty. */
interface SentMove extends Partial<MoveOutcome> {
  readonly moved: boolean;
  readonly path: string;
  readonly moves: readonly Move[];
}

async function sendMove(
  { site }: AdminContext,
  { req, res }: Exchange,
  sent: SentMove,
): Promise<void> {
  const { moved, path, moves, rewritten = [], redirects = {}, addresses = {} } = sent;
  const to = moves[0]?.to ?? path;
  const made = { ...redirects };
  const files = moves.map((move) => ({ path: move.path, to: move.to }));
  const answer = { moved, path, to, moves: files, addresses, rewritten, redirects: made };
  await site.http.json(req, res, answer);
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

/** The new place of a page: its file or folder, or the page above and the end of its address. */
interface PagePlace extends PageTarget {
  /** Below the content folder. */
  readonly path: string;
  readonly to?: string | undefined;
}

/**
 * The moves that bring a page to its place, in all its languages; none when it is there.
 * @throws HttpError 404 without such a page or the plugin `check`, 409 for a place that is taken.
 */
export function movesOf(
  { site }: Pick<AdminContext, "site">,
  { path, to, ...target }: PagePlace,
): readonly PageMove[] {
  if (to !== undefined) return [{ path, to: contentPath(to) }];
  return selected(site.use("check", { optional: true }), "check").movesTo(path, target);
}

/** Moves of pages. */
interface MoveRequest {
  readonly moves: readonly PageMove[];
  /** True: the old addresses redirect to the new ones. */
  readonly redirect: boolean;
  /** True: nothing is moved. */
  readonly dryRun?: boolean;
}

/** What a move changes beside the files that move. */
type MoveOutcome = Pick<MoveReport, "rewritten" | "redirects" | "addresses">;

/** Applies all moves of pages or none, and notes them. */
export async function applyMoves(
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  request: MoveRequest,
): Promise<MoveOutcome> {
  const report = await writeMoves(context, identity, request);
  if (request.dryRun === true) return report;
  const { moves } = request;
  const detail = { to: moves[0]?.to ?? "", moves: moves.length };
  const target = { type: "page", id: moves[0]?.path ?? "" };
  note(context, req, { event: "page.move", actor: identity, target, detail });
  return report;
}

/**
 * Applies all moves of files and folders or none. With the plugin `check`, also updates links and redirects.
 * @throws HttpError 403, 409 and what else the write path rejects.
 */
export async function writeMoves(
  context: AdminContext,
  identity: AdminIdentity,
  { moves, redirect, dryRun = false }: MoveRequest,
): Promise<MoveOutcome> {
  const options = { ...writeOptions(identity), message: "move", dryRun };
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
  return report;
}

async function plainMoves(
  { site }: AdminContext,
  moves: readonly Move[],
  options: ApplyOptions,
): Promise<MoveOutcome & Pick<MoveReport, "ok" | "results">> {
  const content = site.use("content");
  const changes = moves.map((move) => ({ op: "move", ...move }) as const);
  const dry = await content.apply(changes, { ...options, dryRun: true });
  const isFine = dry.every(({ status }) => status !== "error");
  const isTried = !isFine || options.dryRun === true;
  const results = isTried ? dry : await content.apply(changes, options);
  return {
    ok: results.every(({ status }) => status !== "error"),
    results,
    rewritten: [],
    redirects: {},
    addresses: {},
  };
}
