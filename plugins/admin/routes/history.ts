import type { Request, Response } from "express";
import type { AdminIdentity } from "../contract.js";
import { contentPath, frontMatterOf, isPublic } from "../page-source.js";
import { checked } from "../save-page.js";
import {
  actorOf,
  assertMay,
  ifMatch,
  note,
  notFound,
  selected,
  type RouteParts,
} from "./route-parts.js";

const VERSION = /^(.+?)\/([1-9]\d{0,8})(\/diff|\/restore)?$/;

/** Former versions of pages: list, read, compare, restore. */
export function historyRoutes(parts: RouteParts): void {
  const { admin } = parts;
  admin.route({
    method: "get",
    path: "/history/*path",
    permission: "pages.read",
    summary: "Versions of a page; /{n} is one of them, /{n}/diff its difference to now or to ?to=",
    handler: (req, res, { params }) => read(parts, { req, res }, params["path"] ?? ""),
  });
  admin.route({
    method: "post",
    path: "/history/*path",
    permission: "pages.update",
    summary: "Restore a version: POST …/{n}/restore",
    handler: (req, res, { params, identity }) =>
      restore(parts, { req, res, identity }, params["path"] ?? ""),
  });
}

async function read(
  { site }: RouteParts,
  { req, res }: { req: Request; res: Response },
  path: string,
): Promise<void> {
  const history = selected(site.find("history"), "history");
  const [, page, n, action] = VERSION.exec(path) ?? [];
  if (page === undefined || n === undefined) {
    const items = await history.list(contentPath(path));
    if (items.length === 0 && (await site.use("content").source(path)) === null) throw notFound();
    await site.http.json(req, res, { items, total: items.length });
    return;
  }
  const sourcePath = contentPath(page);
  if (action === "/diff") {
    const to = /^[1-9]\d{0,8}$/.exec(String(req.query["to"] ?? ""))?.[0];
    const lines = await history.diff(
      sourcePath,
      Number(n),
      to === undefined ? undefined : Number(to),
    );
    const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
    await site.http.json(req, res, {
      lines,
      additions: count("added"),
      deletions: count("removed"),
    });
    return;
  }
  const revision = action === undefined ? await history.get(sourcePath, Number(n)) : null;
  if (revision === null) throw notFound();
  await site.http.json(req, res, revision);
}

async function restore(
  parts: RouteParts,
  { req, res, identity }: { req: Request; res: Response; identity: AdminIdentity },
  path: string,
): Promise<void> {
  const history = selected(parts.site.find("history"), "history");
  const [, page, n, action] = VERSION.exec(path) ?? [];
  if (page === undefined || n === undefined || action !== "/restore") throw notFound();
  const sourcePath = contentPath(page);
  const revision = await history.get(sourcePath, Number(n));
  if (revision === null) throw notFound();
  const now = parts.site.use("content").generation().bySource.get(sourcePath);
  const isPublicNow = now !== undefined && isPublic(now.frontmatter);
  if (isPublic(frontMatterOf(revision.content)) && !isPublicNow)
    assertMay(identity, "pages.publish");
  const ifHash = ifMatch(req);
  const options = { actor: actorOf(identity), ...(ifHash !== undefined && { ifHash }) };
  const result = checked(await history.restore(sourcePath, Number(n), options));
  if (result.status === "error") {
    await parts.site.http.json(
      req,
      res,
      { error: result.errors[0] ?? "the page has changed" },
      { status: 409 },
    );
    return;
  }
  const detail = { revision: Number(n) };
  note(parts, req, {
    event: "page.restore",
    actor: identity,
    target: { type: "page", id: sourcePath },
    detail,
  });
  await parts.site.http.json(req, res, { restored: true, sourcePath, revision: Number(n) });
}
