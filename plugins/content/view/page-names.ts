/** Resolves the names in queries of pages. */
import { isRecord, type Field } from "#kernel";
import { isEmpty } from "#lib/fields";
import { isPrivateKey, publicKeys } from "#lib/front-matter";
import {
  queryError,
  queryKindOf,
  type QueryCondition,
  type QueryName,
  type QuerySource,
  type TableQuery,
} from "#lib/query";
import { compareTexts, compareUnits, sortByText } from "#lib/text";
import type { Blueprints, ListQuery, PageEntry } from "../contract.js";
import { hasOrder } from "../index/orders.js";

/** The meaning of names in a list of pages depends on these. */
export interface PageNamesOptions {
  readonly blueprints: Pick<Blueprints, "of" | "list">;
  /** Public keys of front matter that pages of the list have. */
  keys(): ReadonlySet<string>;
  /** Selected template: its fields only. */
  readonly template: string | undefined;
  /** False for a list of unpublished pages. */
  readonly isPublished: boolean;
  /** Time zone of dates without an offset. */
  readonly timezone: string;
}
type Name = QueryName<PageEntry>;
type Kind = Name["kind"];

const pageName = (name: string, kind: Kind, value: Name["value"]) =>
  [name, { kind, path: [name], value }] as const;

/** The order of `list({ order: { by: "route" } })`; requests cannot write an empty name. */
export const BY_ROUTE = "";

/** Keys of the items themselves. */
const OWN: ReadonlyMap<string, Name> = new Map<string, Name>([
  pageName("route", "text", ({ url }) => url),
  pageName("title", "text", ({ title }) => title),
  [
    "date",
    {
      kind: "date",
      path: ["date"],
      value: ({ date }) => date ?? undefined,
      compared: (entry) => formatDatetime(entry) ?? entry.date ?? undefined,
      sort: { value: dateText, compare: (a, b) => compareUnits(String(a), String(b)) },
    },
  ],
  pageName("datetime", "date", formatDatetime),
  pageName("template", "text", ({ template }) => template),
  pageName("format", "text", ({ format }) => format),
  pageName("taxonomy", "any", ({ taxonomy }) => taxonomy),
  pageName("order", "number", (entry) => (hasOrder(entry) ? entry.order : undefined)),
  pageName("lang", "text", ({ lang }) => lang),
  pageName("frontmatter", "any", ({ frontmatter }) => publicKeys(frontmatter)),
]);

const ROUTE: Name = {
  kind: "text",
  path: [],
  value: ({ route }) => route,
  sort: { value: ({ route }) => route, compare: (a, b) => compareUnits(String(a), String(b)) },
};

function formatDatetime({ moment }: PageEntry): string | undefined {
  return typeof moment === "number" ? new Date(moment).toISOString() : undefined;
}

/** Milliseconds from the year 0, so that the digits of all moments sort as text. */
const YEAR_0 = 62_167_219_200_000;

/** By day, then by time of day; the day alone comes first. */
function dateText({ date, moment }: PageEntry): string {
  const time = typeof moment === "number" ? String(moment + YEAR_0).padStart(16, "0") : "";
  return `${date ?? ""} ${time}`;
}

/** The names of a list of pages: own keys, `taxonomy.<name>`, `frontmatter.<key>` and bare keys. */
export class PageNames implements QuerySource<PageEntry> {
  readonly timezone: string;
  readonly compareTexts = compareTexts;
  readonly #options: PageNamesOptions;

  constructor(options: PageNamesOptions) {
    this.#options = options;
    this.timezone = options.timezone;
  }

  key({ route, sourcePath }: PageEntry): string {
    return `${route}\u0000${sourcePath}`;
  }

  sortTexts(texts: readonly string[]): string[] {
    return sortByText(texts, (text) => text, { dir: "asc", ties: () => 0 });
  }

  names(): readonly string[] {
    const { blueprints, keys } = this.#options;
    const fields = blueprints.list().flatMap((one) => one.fields.map(({ name }) => name));
    const bare = [...new Set([...keys(), ...fields])].filter((key) => !isPrivateKey(key));
    return ["published", ...OWN.keys(), ...bare, ...bare.map((key) => `frontmatter.${key}`)];
  }

  find(name: string, parameter: string): Name | undefined {
    if (name === "published")
      return { kind: "boolean", path: [name], value: () => this.#options.isPublished };
    if (name === BY_ROUTE) return ROUTE;
    const standard = OWN.get(name);
    if (standard !== undefined) return standard;
    if (name.startsWith("taxonomy.")) return taxonomyName(name.slice("taxonomy.".length));
    const path = (name.startsWith("frontmatter.") ? name.slice("frontmatter.".length) : name).split(
      ".",
    );
    const [root = ""] = path;
    if (path.some((key) => key === "" || isPrivateKey(key))) return undefined;
    const kind = this.#kindOf(path, parameter);
    if (kind === null && !this.#options.keys().has(root)) return undefined;
    return {
      kind: kind ?? "any",
      path: ["frontmatter", ...path],
      value: ({ frontmatter }) => lookUp(frontmatter, path),
    };
  }

  /** The kind of a declared field; null for a key that no blueprint declares. */
  #kindOf(path: readonly string[], parameter: string): Kind | null {
    const { blueprints, template } = this.#options;
    const declaring = template === undefined ? blueprints.list() : [blueprints.of(template)];
    const declaredKinds = declaring.flatMap((blueprint) => {
      const kind = blueprint === undefined ? null : findKind(blueprint.fields, path);
      return kind === null ? [] : [{ kind, template: blueprint?.name }];
    });
    const [first] = declaredKinds;
    const other = declaredKinds.find(({ kind }) => kind !== first?.kind);
    if (first === undefined) return null;
    if (other === undefined) return first.kind;
    const kinds = `${first.kind} in ${first.template}, ${other.kind} in ${other.template}`;
    throw queryError(parameter, `${path.join(".")} has several kinds (${kinds}): add template=`);
  }
}

/** The query of a list, with its plain selections as conditions. */
export function toTableQuery({
  template,
  taxonomy = {},
  order = { by: "date", dir: "desc" },
  query,
}: ListQuery): TableQuery {
  const plain = Object.entries(taxonomy).map(([name, value]) => is(`taxonomy.${name}`, value));
  if (template !== undefined) plain.push(is("template", template));
  if (query !== undefined && plain.length === 0) return query;
  if (query !== undefined) return { ...query, all: [...plain, ...query.all] };
  const name = order.by === "route" ? BY_ROUTE : order.by;
  return { all: plain, any: [], order: [{ name, dir: order.dir }], cursor: null };
}

function is(name: string, value: string): QueryCondition {
  return { parameter: name, name, operator: "is", values: [value] };
}

function taxonomyName(name: string): Name {
  return {
    kind: "text",
    path: ["taxonomy", name],
    value: ({ taxonomy }) => (Object.hasOwn(taxonomy, name) ? taxonomy[name] : undefined),
  };
}

function findKind(fields: readonly Field[], [key, ...rest]: readonly string[]): Kind | null {
  const field = fields.find(({ name }) => name === key);
  if (field === undefined) return null;
  return rest.length === 0 ? queryKindOf(field) : (findKind(field.fields, rest) ?? "any");
}

/** The value at a path of keys; of a list, the values of all its elements. */
function lookUp(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) {
    const all = value.flatMap((one: unknown) => lookUp(one, [key, ...rest]) ?? []);
    return isEmpty(all) ? undefined : all;
  }
  return isRecord(value) && Object.hasOwn(value, key) ? lookUp(value[key], rest) : undefined;
}
