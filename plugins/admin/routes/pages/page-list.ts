import type { Request, Response } from "express";
import { z } from "zod";
import type { BrokenPage, PageEntry } from "../../../content/contract.js";
import { mayAt } from "../../accounts/path-rights.js";
import type { AdminIdentity } from "../../contract.js";
import { PageTree, TOP } from "../../pages/page-tree.js";
import { brokenRow, pageRow } from "../../write/page-source.js";
import { statusOf } from "../../write/workflow.js";
import { answers } from "../answers.js";
import type { RouteParts } from "../route-parts.js";
import { sliceQuery } from "../slice-query.js";

const listQuery = z.object({
  q: z.string().max(200).optional().describe("Part of title, route or source path"),
  status: z
    .enum(["draft", "in_review", "published", "archived", "broken"])
    .optional()
    .describe("`broken`: only pages whose files cannot be read"),
  broken: z
    .enum(["true", "false"])
    .default("false")
    .describe("Also pages whose files cannot be read, before the others; they have no route"),
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
  const broken = content.brokenPages();
  const problems = new Map(broken.map((page) => [page.sourcePath, page.problem]));
  const level = parent === undefined ? generation.entries : tree.below(generation, parent);
  const pages =
    query.status === "broken" ? level.filter((entry) => problems.has(entry.sourcePath)) : level;
  const found = pages.filter(
    (entry) => matches(entry, query) && mayAt(identity, "pages.read", entry.sourcePath),
  );
  // Broken pages come first: visitors cannot report them.
  const isWithBroken = query.broken === "true" || query.status === "broken";
  const unread = broken.filter(
    (page) =>
      isWithBroken &&
      !generation.bySource.has(page.sourcePath) &&
      matchesBroken(page, query) &&
      mayAt(identity, "pages.read", page.sourcePath),
  );
  const sorted = sort === "changed" ? found.toSorted((a, b) => b.mtimeMs - a.mtimeMs) : found;
  const rowOf = (entry: PageEntry): Record<string, unknown> => {
    const problem = problems.get(entry.sourcePath);
    return {
      ...pageRow(entry, blueprints.of(entry.template)?.columns),
      hasChildren: tree.hasChildren(generation, entry),
      ...(problem !== undefined && { broken: problem }),
    };
  };
  const start = Math.max(0, offset - unread.length);
  const end = Math.max(0, offset + limit - unread.length);
  const items = [
    ...unread.slice(offset, offset + limit).map(brokenRow),
    ...sorted.slice(start, end).map(rowOf),
  ];
  return site.http.json(req, res, { items, total: unread.length + found.length });
}

function matchesBroken(
  page: BrokenPage,
  { q = "", status, template, lang, parent }: ListQuery,
): boolean {
  if (status !== undefined && status !== "broken") return false;
  if (template !== undefined && page.template !== template) return false;
  if (lang !== undefined && page.lang !== lang) return false;
  if (parent !== undefined && (page.parent ?? TOP) !== parent) return false;
  return page.sourcePath.toLowerCase().includes(q.toLowerCase());
}

function matches(entry: PageEntry, { q = "", status, template, lang }: ListQuery): boolean {
  if (status !== undefined && status !== "broken" && statusOf(entry) !== status) return false;
  if (template !== undefined && entry.template !== template) return false;
  if (lang !== undefined && entry.lang !== lang) return false;
  const text = `${entry.title}\n${entry.route}\n${entry.sourcePath}`.toLowerCase();
  return text.includes(q.toLowerCase());
}
