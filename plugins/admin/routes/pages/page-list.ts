import type { Request, Response } from "express";
import { z } from "zod";
import type { PageEntry } from "../../../content/contract.js";
import { mayAt } from "../../accounts/path-rights.js";
import type { AdminIdentity } from "../../contract.js";
import { PageTree } from "../../pages/page-tree.js";
import { pageRow } from "../../write/page-source.js";
import { answers } from "../answers.js";
import type { RouteParts } from "../route-parts.js";
import { sliceQuery } from "../slice-query.js";

const listQuery = z.object({
  q: z.string().max(200).optional().describe("Part of title, route or source path"),
  status: z.enum(["draft", "in_review", "published", "archived"]).optional(),
  template: z.string().max(100).optional(),
  lang: z.string().max(35).optional(),
  parent: z
    .string()
    .startsWith("/")
    .max(1024)
    .optional()
    .describe("Route of a page: only the pages directly below it; `/`: those at the top"),
  sort: z.enum(["changed"]).optional().describe("The latest change first; else in tree order"),
  ...sliceQuery(500),
});
type ListQuery = z.infer<typeof listQuery>;

/** Lists pages: all, or one level of the tree. */
export function pageListRoute(parts: RouteParts): void {
  const { admin, site } = parts;
  const tree = new PageTree(site.settings.system.languages.default);
  admin.route({
    method: "get",
    path: "/pages",
    permission: "pages.read",
    summary: "Pages including unpublished ones, in tree order: all, or with parent one level",
    paths: "own",
    responses: answers.pages,
    query: listQuery,
    handler: (req, res, { query, identity }) =>
      list({ parts, tree }, { req, res, query, identity }),
  });
}

function list(
  { parts: { site }, tree }: { parts: RouteParts; tree: PageTree },
  {
    req,
    res,
    query,
    identity,
  }: { req: Request; res: Response; query: ListQuery; identity: AdminIdentity },
): unknown {
  const { limit, offset, parent, sort } = query;
  const content = site.use("content");
  const { blueprints } = content;
  const generation = content.generation();
  const pages = parent === undefined ? generation.entries : tree.below(generation, parent);
  const found = pages.filter(
    (entry) => matches(entry, query) && mayAt(identity, "pages.read", entry.sourcePath),
  );
  const sorted = sort === "changed" ? found.toSorted((a, b) => b.mtimeMs - a.mtimeMs) : found;
  const items = sorted.slice(offset, offset + limit).map((entry) => ({
    ...pageRow(entry, blueprints.of(entry.template)?.columns),
    hasChildren: tree.hasChildren(generation, entry),
  }));
  return site.http.json(req, res, { items, total: found.length });
}

function matches(entry: PageEntry, { q = "", status, template, lang }: ListQuery): boolean {
  if (status !== undefined && entry.status !== status) return false;
  if (template !== undefined && entry.template !== template) return false;
  if (lang !== undefined && entry.lang !== lang) return false;
  const text = `${entry.title}\n${entry.route}\n${entry.sourcePath}`.toLowerCase();
  return text.includes(q.toLowerCase());
}
