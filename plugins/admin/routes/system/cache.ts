import { z } from "zod";
import type { Caches } from "#kernel";
import type { CacheExplanation } from "#kernel/internal";
import type { RouteParts } from "../route-parts.js";

const cacheQuery = z.object({
  path: z.string().min(1).max(8_192).optional().describe("Explain this address: `/blog`"),
});

const time = z.number().describe("Unix ms");
const count = z.int().min(0);
const space = z
  .object({
    name: z.string(),
    entries: count,
    bytes: count,
    maxBytes: count,
    evictions: count,
    hits: count,
    misses: count,
    hitRate: z.number().nullable(),
  })
  .meta({ id: "CacheSpace", description: "The cached values of one kind" });
const dropped = z.object({
  at: time,
  reason: z.enum(["tag", "expired", "evicted", "cleared", "idle"]),
  tag: z.string().optional().describe("What changed"),
});
const explanation = z
  .object({
    space: z.string(),
    state: z.enum(["cached", "being made", "absent"]),
    bytes: count.nullable(),
    tags: z.array(z.string()).describe("Tags of the content that it was built from"),
    since: time.nullable(),
    until: time.nullable(),
    dropped: dropped.nullable().describe("The last time it was dropped, while that is remembered"),
  })
  .meta({ id: "CacheExplanation", description: "Why a value is, or is no longer, cached" });
const spaces = z.object({ items: z.array(space), total: count, entries: count, bytes: count });
const explanations = z.object({
  path: z.string(),
  cached: z.boolean(),
  items: z.array(explanation),
  total: count,
});

/** Lists the spaces of the cache, or explains one address. */
export function cacheRoutes({ admin, site }: RouteParts): void {
  admin.route({
    method: "get",
    path: "/cache",
    permission: "config.read",
    summary:
      "What is cached: entries, bytes and hit rate; with `path`, why an address is or is not",
    responses: { 200: z.union([spaces, explanations]) },
    query: cacheQuery,
    handler: (req, res, { query: { path } }) =>
      site.http.json(
        req,
        res,
        path === undefined ? listSpaces(site.cache) : explain(site.cache, path),
      ),
  });
}

function listSpaces(caches: Caches): z.infer<typeof spaces> {
  const items = Object.entries(caches.stats()).map(([name, stats]) => ({ name, ...stats }));
  const sum = (field: "entries" | "bytes"): number =>
    items.reduce((total, item) => total + item[field], 0);
  return { items, total: items.length, entries: sum("entries"), bytes: sum("bytes") };
}

/** Keys are addresses as browsers send them. */
function explain(caches: Caches, path: string): z.infer<typeof explanations> {
  const keys = new Set([path, encodeURI(path.toWellFormed())]);
  const items = [...keys].flatMap((key) => caches.explain(key)).map(toItem);
  const cached = items.some(({ state }) => state === "cached");
  return { path, cached, items, total: items.length };
}

function toItem({ tags, dropped: drop, ...rest }: CacheExplanation): z.infer<typeof explanation> {
  return { ...rest, tags: tags.toSorted(), dropped: drop };
}
