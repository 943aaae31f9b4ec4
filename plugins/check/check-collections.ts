/** Collections of front matter that name what does not exist. */
import { isRecord, SiteError } from "#kernel";
import { nearest } from "#lib/values";
import type { ContentService, PageEntry } from "../content/contract.js";
import type { CheckProblem } from "./errors.js";

type Query = Readonly<Record<string, unknown>>;

const CODE = "ERR_CHECK_COLLECTION";
/** Orders that are not a key of a page's front matter. */
const ORDERS = [
  "default",
  "date",
  "title",
  "order",
  "route",
  "published",
  "visible",
  "routable",
  "template",
  "format",
  "lang",
];

/** Unknown sources and orders, and invalid limits, in the collections of every page. */
export async function collectionProblems(
  content: Pick<ContentService, "viewAll">,
  entries: readonly PageEntry[],
): Promise<CheckProblem[]> {
  const problems: CheckProblem[] = [];
  for (const entry of entries) {
    for (const [key, query] of listQueries(entry)) {
      const { sourcePath } = entry;
      const source = await sourceProblem(content, entry, query);
      if (source !== null) {
        const message = `${key}: ${source}`;
        problems.push({ sourcePath, severity: "error", code: CODE, message });
      }
      for (const text of valueProblems(query, entries)) {
        const message = `${key}.${text}`;
        problems.push({ sourcePath, severity: "warning", code: CODE, message });
      }
    }
  }
  return problems;
}

function listQueries({ frontmatter }: PageEntry): [key: string, query: Query][] {
  const { collection, collections } = frontmatter;
  const own: [string, unknown][] = [["collection", collection]];
  const named = isRecord(collections) ? Object.entries(collections) : [];
  const all = [...own, ...named.map(([name, query]) => [`collections.${name}`, query] as const)];
  return all.flatMap(([key, query]) => (isRecord(query) ? [[key, query]] : []));
}

async function sourceProblem(
  content: Pick<ContentService, "viewAll">,
  entry: PageEntry,
  { items }: Query,
): Promise<string | null> {
  if (typeof items !== "string" && !isRecord(items)) return "`items` is missing; name a source";
  try {
    await content.viewAll().collection({ items, limit: 1 }, entry);
    return null;
  } catch (error) {
    if (!(error instanceof SiteError) || error.code !== "ERR_COLLECTION_SOURCE") throw error;
    return error.message;
  }
}

function valueProblems(query: Query, entries: readonly PageEntry[]): string[] {
  const order = isRecord(query["order"]) ? query["order"] : {};
  const pagination = isRecord(query["pagination"]) ? query["pagination"] : {};
  return [
    ...orderProblems(order, entries),
    ...numberProblem("limit", query["limit"], 1),
    ...numberProblem("offset", query["offset"], 0),
    ...numberProblem("pagination.size", pagination["size"], 1),
  ];
}

function orderProblems({ by, dir }: Query, entries: readonly PageEntry[]): string[] {
  const problems: string[] = [];
  if (by !== undefined && !isKnownOrder(by, entries)) {
    const near = typeof by === "string" ? nearest(by, ORDERS) : null;
    const hint = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
    problems.push(`order.by: no page has ${JSON.stringify(by)}${hint}`);
  }
  if (dir !== undefined && dir !== "asc" && dir !== "desc") {
    problems.push(`order.dir: ${JSON.stringify(dir)} is neither "asc" nor "desc"`);
  }
  return problems;
}

function isKnownOrder(by: unknown, entries: readonly PageEntry[]): boolean {
  if (typeof by !== "string") return false;
  const key = by.replace(/^frontmatter\./, "").split(".", 1)[0] ?? "";
  return ORDERS.includes(by) || entries.some(({ frontmatter }) => Object.hasOwn(frontmatter, key));
}

function numberProblem(key: string, value: unknown, least: number): string[] {
  const isRight = typeof value === "number" && Number.isInteger(value) && value >= least;
  if (value === undefined || value === null || isRight) return [];
  return [`${key}: ${JSON.stringify(value)} is not a whole number from ${least}`];
}
