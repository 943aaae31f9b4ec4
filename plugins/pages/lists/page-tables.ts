import type { SiteContext } from "#kernel";
import { QueryTable } from "#kernel/internal";
import type { ContentView, ListQuery, PageEntry } from "../../content/contract.js";
import { PageNames, type DeclaredFields } from "./page-names.js";
import { isPrivateKey } from "../page/public-source.js";

/** What names mean in lists of pages, and the tables that queries select from. */
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

  /** Of unpublished pages and published ones, so that a name is known to visitors who see none of the former. */
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
