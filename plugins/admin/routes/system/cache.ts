import type { z } from "zod";
import type { Caches } from "#kernel";
import type { CacheExplanation } from "#kernel/internal";
import type { RouteParts } from "../route-parts.js";
import {
  type cacheExplanation,
  type cacheOfPath,
  type cacheSpaces,
  systemApi,
} from "../../schemas/system.js";

/** Lists the spaces of the cache, or explains one address. */
export function cacheRoutes({ admin, site }: RouteParts): void {
  admin.route({
    method: "get",
    path: "/cache",
    permission: "config.read",
    summary:
      "What is cached: entries, bytes and hit rate; with `path`, why an address is or is not",
    responses: systemApi["GET /cache"].responses,
    query: systemApi["GET /cache"].query,
    handler: (req, res, { query: { path } }) =>
      site.http.json(
        req,
        res,
        path === undefined ? listSpaces(site.cache) : explain(site.cache, path),
      ),
  });
}

function listSpaces(caches: Caches): z.infer<typeof cacheSpaces> {
  const items = Object.entries(caches.stats()).map(([name, stats]) => ({ name, ...stats }));
  const sum = (field: "entries" | "bytes"): number =>
    items.reduce((total, item) => total + item[field], 0);
  return { items, total: items.length, entries: sum("entries"), bytes: sum("bytes") };
}

/** Keys are addresses as browsers send them. */
function explain(caches: Caches, path: string): z.infer<typeof cacheOfPath> {
  const keys = new Set([path, encodeURI(path.toWellFormed())]);
  const items = [...keys].flatMap((key) => caches.explain(key)).map(toItem);
  const cached = items.some(({ state }) => state === "cached");
  return { path, cached, items, total: items.length };
}

function toItem({
  tags,
  dropped: drop,
  ...rest
}: CacheExplanation): z.infer<typeof cacheExplanation> {
  return { ...rest, tags: tags.toSorted(), dropped: drop };
}
