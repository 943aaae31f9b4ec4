import type { z } from "zod";
import type { SiteContext } from "#kernel";
import type { PageEntry } from "../../../content/contract.js";
import type { FlexService, FlexType } from "../../../flex/contract.js";
import { allUsers } from "../../accounts/all-users.js";
import { mayAt } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import { hasWords } from "../flex.js";
import { assertMay, type AdminContext } from "../admin-context.js";
import { MAX_KEYS, pagesApi } from "../../schemas/pages.js";
type TargetQuery = z.infer<(typeof pagesApi)["GET /relations/:target"]["query"]>;
interface Target {
  /** The value that a field stores. */
  readonly key: string;
  readonly label: string;
  /** A route, type or username that tells equal labels apart. */
  readonly detail: string;
}

/** Lists what a field of relations may name, for pickers in forms. */
export function relationTargetRoutes({ admin, site }: AdminContext): void {
  admin.route({
    method: "get",
    path: "/relations/:target",
    permission: "pages.read",
    paths: "own",
    summary: "Pages, records or accounts that a field may name, with their titles",
    responses: pagesApi["GET /relations/:target"].responses,
    query: pagesApi["GET /relations/:target"].query,
    handler: async (req, res, { params, query, identity }) => {
      const targets = await listTargets(site, params["target"] ?? "", { query, identity });
      const most = query.key === undefined ? query.limit : MAX_KEYS;
      await site.http.json(req, res, { items: targets.slice(0, most), total: targets.length });
    },
  });
}

/** True for a key that was asked for; without such keys, for what has the words. */
function isWanted({ key, label, detail }: Target, { q, key: keys }: TargetQuery): boolean {
  if (keys !== undefined) return [keys].flat().includes(key);
  return `${label}\n${key}\n${detail}`.toLowerCase().includes(q.toLowerCase());
}

interface Asked {
  query: TargetQuery;
  identity: AdminIdentity;
}

async function listTargets(site: SiteContext, target: string, asked: Asked): Promise<Target[]> {
  if (target === "page") return pages(site, asked);
  if (target === "record") return records(site.use("flex", { optional: true }), asked);
  if (target === "term") return terms(site, asked);
  if (target === "user") return accounts(site, asked);
  return [];
}

function pages(site: SiteContext, { query, identity }: Asked): Target[] {
  const content = site.use("content");
  const targets = new Map<string, Target>();
  for (const entry of content.generation().entries) {
    if (!isAllowed(entry, query) || !mayAt(identity, "pages.read", entry.sourcePath)) continue;
    const key = content.relations.keyOf(entry);
    if (key === "" || (targets.has(key) && entry.lang !== query.lang)) continue;
    targets.set(key, { key, label: entry.title, detail: entry.route });
  }
  return [...targets.values()].filter((target) => isWanted(target, query));
}

function isAllowed({ isModule, template, route }: PageEntry, { of, from }: TargetQuery): boolean {
  if (isModule || (of.length > 0 && !of.includes(template))) return false;
  return from === "" || from === "/" || route.startsWith(`${from}/`);
}

/** Values of a taxonomy or of a list in the front matter, the most frequent first. */
function terms(site: SiteContext, { query, identity }: Asked): Target[] {
  const { from } = query;
  const counts = new Map<string, number>();
  for (const { taxonomy, frontmatter, sourcePath } of site.use("content").generation().entries) {
    if (!mayAt(identity, "pages.read", sourcePath)) continue;
    const listing: unknown = Object.hasOwn(frontmatter, from) ? frontmatter[from] : [];
    const listed = Array.isArray(listing) ? listing.filter((one) => typeof one === "string") : [];
    const values = new Set([
      ...(Object.hasOwn(taxonomy, from) ? (taxonomy[from] ?? []) : []),
      ...listed,
    ]);
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a, most], [b, next]) => next - most || (a < b ? -1 : 1))
    .map(([key, count]) => ({ key, label: key, detail: String(count) }))
    .filter((target) => isWanted(target, query));
}

/** Keys name the type where a field allows several. */
async function records(
  flex: FlexService | undefined,
  { query, identity }: Asked,
): Promise<Target[]> {
  if (flex === undefined || !identity.permissions.has("flex.read")) return [];
  const { of, q, key } = query;
  const only = key === undefined ? null : [key].flat();
  const types = flex.types().filter(({ name }) => of.length === 0 || of.includes(name));
  const lists = types.map(async (type) => {
    const all = await flex.all(type.name);
    return all.flatMap((record) => {
      const keys = [`${type.name}/${record._id}`, ...(of.length === 1 ? [record._id] : [])];
      const target = { label: readLabel(type, record), detail: `${type.title} · ${record._id}` };
      if (only === null) return hasWords(record, q) ? [{ key: keys.at(-1) ?? "", ...target }] : [];
      return only.filter((one) => keys.includes(one)).map((one) => ({ key: one, ...target }));
    });
  });
  return (await Promise.all(lists)).flat();
}

function readLabel({ fields }: FlexType, record: Readonly<Record<string, unknown>>): string {
  const texts = fields.map(({ name }) => record[name]);
  const title = texts.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof title === "string" ? title.slice(0, 120) : String(record["_id"]);
}

/** Names alone: addresses are for those who manage accounts. */
async function accounts(site: SiteContext, { query, identity }: Asked): Promise<Target[]> {
  assertMay(identity, "pages.create");
  const users = site.use("users", { optional: true });
  if (users === undefined) return [];
  const found: Target[] = [];
  for await (const { id, name, username } of allUsers(users)) {
    const target = { key: id, label: name ?? username ?? id, detail: username ?? "" };
    if (isWanted(target, query)) found.push(target);
  }
  return found;
}
