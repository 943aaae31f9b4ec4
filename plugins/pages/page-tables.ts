import { compareTexts, sortByText } from "#lib/text";
import { isEmpty } from "#lib/fields";
import { queryError, queryKindOf, type QueryName, type QuerySource, QueryTable } from "#lib/query";
import { isRecord, type Field, type SiteContext } from "#kernel";
import type { PageEntry, ContentView, ListQuery } from "../content/contract.js";
import { isPrivateKey, datetimeOf, publicKeys } from "./items.js";

/** Fields that blueprints declare. */
export interface DeclaredFields {
  /** Those of pages with a template; empty without a blueprint. */
  of(template: string): readonly Field[];
  list(): readonly { readonly template: string; readonly fields: readonly Field[] }[];
}
/** The meaning of names in a list of pages depends on these. */
export interface PageNamesOptions {
  readonly declared: DeclaredFields;
  /** Keys of front matter that pages of the list have. */
  readonly keys: ReadonlySet<string>;
  /** Selected template: its fields only. */
  readonly template: string | undefined;
  /** False for a list of unpublished pages. */
  readonly isPublished: boolean;
  readonly timezone: string;
}
type Name = QueryName<PageEntry>;
type Kind = Name["kind"];

const own = (name: string, kind: Kind, value: Name["value"]) =>
  [name, { kind, path: [name], value }] as const;
const dateSort = {
  value: dateText,
  compare: (a: string | number, b: string | number) => (a < b ? -1 : Number(a > b)),
};
const orderSort = {
  value: (entry: PageEntry) => orderOf(entry) ?? Number.MAX_SAFE_INTEGER,
  compare: (a: string | number, b: string | number) => Number(a) - Number(b),
};

/** Keys of the items themselves. */
const OWN: ReadonlyMap<string, Name> = new Map<string, Name>([
  own("route", "text", ({ url }) => url),
  own("title", "text", ({ title }) => title),
  [
    "date",
    {
      kind: "date",
      path: ["date"],
      value: ({ date }) => date ?? undefined,
      compared: (entry) => datetimeOf(entry) ?? entry.date ?? undefined,
      sort: dateSort,
    },
  ],
  own("datetime", "date", datetimeOf),
  own("template", "text", ({ template }) => template),
  own("format", "text", ({ format }) => format),
  own("taxonomy", "any", ({ taxonomy }) => taxonomy),
  ["order", { kind: "number", path: ["order"], value: orderOf, sort: orderSort }],
  own("lang", "text", ({ lang }) => lang),
  own("frontmatter", "any", ({ frontmatter }) => publicKeys(frontmatter)),
]);

function orderOf({ order, isOrdered }: PageEntry): number | undefined {
  return order === 0 && isOrdered !== true ? undefined : order;
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
    const { declared, keys } = this.#options;
    const fields = declared.list().flatMap((one) => one.fields.map(({ name }) => name));
    const bare = [...new Set([...keys, ...fields])].filter((key) => !isPrivateKey(key));
    return ["published", ...OWN.keys(), ...bare, ...bare.map((key) => `frontmatter.${key}`)];
  }

  find(name: string, parameter: string): Name | undefined {
    if (name === "published")
      return { kind: "boolean", path: [name], value: () => this.#options.isPublished };
    const found = OWN.get(name);
    if (found !== undefined) return found;
    if (name.startsWith("taxonomy.")) return taxonomyName(name.slice("taxonomy.".length));
    const path = (name.startsWith("frontmatter.") ? name.slice("frontmatter.".length) : name).split(
      ".",
    );
    const [root = ""] = path;
    if (path.some((key) => key === "" || isPrivateKey(key))) return undefined;
    const kind = this.#kindOf(path, parameter);
    if (kind === null && !this.#options.keys.has(root)) return undefined;
    return {
      kind: kind ?? "any",
      path: ["frontmatter", ...path],
      value: ({ frontmatter }) => valueAt(frontmatter, path),
    };
  }

  /** The kind of a declared field; null for a key that no blueprint declares. */
  #kindOf(path: readonly string[], parameter: string): Kind | null {
    const { declared, template } = this.#options;
    const blueprints =
      template === undefined ? declared.list() : [{ template, fields: declared.of(template) }];
    const found = blueprints.flatMap((one) => {
      const kind = kindAt(one.fields, path);
      return kind === null ? [] : [{ kind, template: one.template }];
    });
    const [first] = found;
    const other = found.find(({ kind }) => kind !== first?.kind);
    if (first === undefined) return null;
    if (other === undefined) return first.kind;
    const kinds = `${first.kind} in ${first.template}, ${other.kind} in ${other.template}`;
    throw queryError(parameter, `${path.join(".")} has several kinds (${kinds}): add template=`);
  }
}

function taxonomyName(name: string): Name {
  return {
    kind: "text",
    path: ["taxonomy", name],
    value: ({ taxonomy }) => (Object.hasOwn(taxonomy, name) ? taxonomy[name] : undefined),
  };
}

function kindAt(fields: readonly Field[], [key, ...rest]: readonly string[]): Kind | null {
  const field = fields.find(({ name }) => name === key);
  if (field === undefined) return null;
  return rest.length === 0 ? queryKindOf(field) : (kindAt(field.fields, rest) ?? "any");
}

/** The value at a path of keys; of a list, the values of all its elements. */
function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) {
    const all = value.flatMap((one: unknown) => valueAt(one, [key, ...rest]) ?? []);
    return isEmpty(all) ? undefined : all;
  }
  return isRecord(value) && Object.hasOwn(value, key) ? valueAt(value[key], rest) : undefined;
}

/** Provides the names of lists of pages, and the tables that queries select from. */
export class PageTables {
  readonly #site: SiteContext;
  // Not in site.cache: both live as long as the list that they describe.
  readonly #keySets = new WeakMap<readonly PageEntry[], ReadonlySet<string>>();
  readonly #tables = new WeakMap<
    readonly PageEntry[],
    { version: number; table: QueryTable<PageEntry> }
  >();
  #declaredNow: { version: number; fields: DeclaredFields } | undefined;

  constructor(site: SiteContext) {
    this.#site = site;
  }

  /** The names of a list: only keys of pages that the viewer sees are known. */
  names(
    view: ContentView,
    { template, ...query }: Pick<ListQuery, "published" | "lang" | "fallback" | "template">,
  ): PageNames {
    return new PageNames({
      declared: this.#declared(),
      keys: this.#keys(view, query),
      template,
      isPublished: query.published !== false,
      timezone: this.#site.settings.system.timezone,
    });
  }

  /** The fields of blueprints, by the template of their pages. */
  #declared(): DeclaredFields {
    const { blueprints } = this.#site.use("content");
    const { version } = blueprints;
    if (this.#declaredNow?.version === version) return this.#declaredNow.fields;
    const list = blueprints.list().map(({ name, fields }) => ({ template: name, fields }));
    const fields: DeclaredFields = {
      of: (template) => blueprints.of(template)?.fields ?? [],
      list: () => list,
    };
    this.#declaredNow = { version, fields };
    return fields;
  }

  /** The table of a list that is there for one request. */
  once(entries: readonly PageEntry[], names: PageNames): QueryTable<PageEntry> {
    return new QueryTable(entries, names);
  }

  /** The table of a list that stays the same until the tree or the page types change. */
  of(entries: readonly PageEntry[], names: PageNames): QueryTable<PageEntry> {
    const { version } = this.#site.use("content").blueprints;
    const found = this.#tables.get(entries);
    if (found?.version === version) return found.table;
    const table = new QueryTable(entries, names);
    this.#tables.set(entries, { version, table });
    return table;
  }

  /** Includes the keys of published pages, so that visitors who see no unpublished ones know the same names. */
  #keys(view: ContentView, query: Pick<ListQuery, "published" | "lang" | "fallback">) {
    const keys = this.#keysOf(view.all(query));
    if (query.published !== false) return keys;
    return new Set([...keys, ...this.#keysOf(view.all({ ...query, published: true }))]);
  }

  #keysOf(entries: readonly PageEntry[]): ReadonlySet<string> {
    const found = this.#keySets.get(entries) ?? keysOf(entries);
    this.#keySets.set(entries, found);
    return found;
  }
}

function keysOf(entries: readonly PageEntry[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { frontmatter } of entries) {
    for (const key of Object.keys(frontmatter)) if (!isPrivateKey(key)) keys.add(key);
  }
  return keys;
}
