/** Filters and sort orders of collections. */
import { compareTexts } from "#kernel/internal";
import type { CollectionItem, CollectionQuery } from "../contract.js";
import { toTerms } from "../read/front-matter/fields.js";
import { isMap } from "../read/front-matter/full-yaml.js";
import { termsOf } from "./list.js";
import { comparatorOf, type Comparator, type Direction } from "../index/lookups/orders.js";

const standard = ["date", "title", "order", "route"] as const;
type Standard = (typeof standard)[number];

/** True for the items a `filter` lets through: names are ANDed, values of one name are ORed. */
export function filterOf(
  filter: CollectionQuery["filter"],
): ((item: CollectionItem) => boolean) | null {
  const tests = Object.entries(filter ?? {}).map(([key, wanted]) => testOf(key, wanted));
  if (tests.length === 0) return null;
  return (item) => tests.every((test) => test(item));
}

function testOf(key: string, wanted: unknown): (item: CollectionItem) => boolean {
  if (key === "taxonomy") return taxonomyTest(wanted);
  const values: unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  return (item) => {
    const value = valueAt(item, key);
    const own: unknown[] = Array.isArray(value) ? value : [value ?? null];
    return own.some((one) => values.some((other) => isSame(one, other)));
  };
}

function taxonomyTest(wanted: unknown): (item: CollectionItem) => boolean {
  const names = isMap(wanted) ? Object.entries(wanted) : [];
  const terms = names.map(([name, values]) => ({ name, values: toTerms(values) }));
  return (item) =>
    terms.every(({ name, values }) => termsOf(item, name).some((term) => values.includes(term)));
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (a !== null && b !== null && String(a) === String(b));
}

/** The comparator of `order`; null keeps the order of the source. */
export function orderOf(order: CollectionQuery["order"]): Comparator | null {
  const by = order?.by;
  if (by === undefined || by === "default") return null;
  const dir = directionOf(order?.dir, by);
  if (isStandard(by)) return comparatorOf(by, dir);
  const sign = dir === "asc" ? 1 : -1;
  return (a, b) => compareValues(valueAt(a, by), valueAt(b, by), sign) || byRoute(a, b);
}

const byRoute = comparatorOf("route", "asc");

/** Default direction: dates descending, everything else ascending. */
function directionOf(dir: unknown, by: string): Direction {
  if (dir === "asc" || dir === "desc") return dir;
  return by === "date" ? "desc" : "asc";
}

function isStandard(by: string): by is Standard {
  return standard.some((name) => name === by);
}

/** Compares numbers by value, the rest as titles; items without the value come last either way. */
function compareValues(a: unknown, b: unknown, sign: number): number {
  const [hasA, hasB] = [a !== undefined && a !== null, b !== undefined && b !== null];
  if (!hasA || !hasB) return Number(hasB) - Number(hasA);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * compareTexts(String(a), String(b));
}

const fields: Readonly<Record<string, (item: CollectionItem) => unknown>> = {
  published: ({ published, status }) => published && status === "published",
  visible: ({ visible }) => visible,
  routable: ({ routable }) => routable,
  template: ({ template }) => template,
  format: ({ format }) => format,
  date: ({ date }) => date,
  title: ({ title }) => title,
  order: ({ order }) => order,
  route: ({ route }) => route,
  lang: ({ lang }) => lang,
};

/** A field of the entry, or of the front matter by dotted path (`custom.rating`). */
function valueAt(item: CollectionItem, key: string): unknown {
  const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
  if (field !== undefined) return field(item);
  const path = key.startsWith("frontmatter.") ? key.slice("frontmatter.".length) : key;
  let value: unknown = item.frontmatter;
  for (const part of path.split(".")) {
    value = isMap(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}
