import { z } from "zod";
import type { SiteContext } from "#kernel";
import { mayAt } from "../accounts/path-rights.js";
import type { AdminIdentity } from "../contract.js";
import { pageRow } from "../write/page-source.js";
import { sliceQuery } from "./slice-query.js";

/** The query of a list of pages. */
export const pageListQuery = z.object({
  q: z.string().max(200).optional().describe("Part of title, route or source path"),
  status: z.enum(["draft", "in_review", "published", "archived"]).optional(),
  ...sliceQuery(500),
});

/** The pages that the identity may read, in tree order; `total` counts all that match. */
export function listPages(
  site: SiteContext,
  identity: AdminIdentity,
  { q = "", status, limit, offset }: z.infer<typeof pageListQuery>,
): { items: Record<string, unknown>[]; total: number } {
  const words = q.toLowerCase();
  const content = site.use("content");
  const found = content
    .generation()
    .entries.filter(
      (entry) =>
        (status === undefined || entry.status === status) &&
        `${entry.title}\n${entry.route}\n${entry.sourcePath}`.toLowerCase().includes(words) &&
        mayAt(identity, "pages.read", entry.sourcePath),
    );
  const items = found
    .slice(offset, offset + limit)
    .map((entry) => pageRow(entry, content.blueprints.of(entry.template)?.columns));
  return { items, total: found.length };
}
