/** The tree as one viewer sees it: the single visibility gate. */
import type { SiteContext } from "#kernel";
import { QueryTable, type QueryResult } from "#lib/query";
import type {
  Blueprints,
  Collection,
  CollectionQuery,
  ContentView,
  LanguageChoice,
  ListQuery,
  NavItem,
  Page,
  PageEntry,
  RouteMatch,
  Viewer,
  CollectionSource,
} from "../contract.js";
import { isOpened, meetsRoles, seesUnpublished } from "../index/gating.js";
import { isListable } from "../index/orders.js";
import { listBoundaries, countPassed, isReleased } from "../schedule/publication-time.js";
import type { ContentIndex } from "../index/content-index.js";
import { listSources, sourceTags } from "./collection-items.js";
import { resolveCollection } from "./collections.js";
import { toListLanguage, type ListLanguage } from "./languages.js";
import { PageNames, toTableQuery } from "./page-names.js";
import { unreleasedLists, visibleLists, type VisibleLists, countTerms } from "./visible-lists.js";
import { navItems, navTree } from "./nav.js";
import { redirectOf, resolveRoute, type Access, type RouteRules } from "./resolve-route.js";
import { StandIns } from "./stand-ins.js";
import type { PageLoader } from "./page-loader.js";

/** A visitor without a session. */
export const anonymous: Viewer = Object.freeze({ roles: null, seesUnpublished: false });

/** The view of one viewer on one generation, at one moment. */
export class TreeView implements ContentView {
  readonly viewer: Viewer;
  readonly reads = new Set<string>();
  readonly #deps: ViewDeps;
  #personal: boolean;
  #expiresAt: number | null = null;

  constructor(deps: ViewDeps, viewer: Viewer) {
    this.#deps = deps;
    this.viewer = viewer;
    this.#personal = viewer.moment !== undefined;
  }

  get personal(): boolean {
    return this.#personal;
  }

  get expiresAt(): number | null {
    return this.#expiresAt;
  }

  canSee(entry: PageEntry): boolean {
    return this.#access(entry) === "open";
  }

  isListed(entry: PageEntry): boolean {
    if (!isListable(entry) || redirectOf(entry, this.#deps.rules) !== null) return false;
    return this.canSee(entry);
  }

  resolve(path: string, search?: string): RouteMatch {
    const context = {
      index: this.#deps.index,
      rules: this.#deps.rules,
      access: (entry: PageEntry) => this.#access(entry),
      note: (tag: string) => void this.reads.add(tag),
    };
    return resolveRoute(path, context, search);
  }

  page(route: string, lang = this.#deps.rules.defaultLanguage): PageEntry | undefined {
    this.reads.add(`route:${route}`);
    for (const entry of this.#standIns().candidates(route, lang)) {
      const page = this.#visible(entry);
      if (page !== undefined) return page;
    }
    return undefined;
  }

  #visible(entry: PageEntry): PageEntry | undefined {
    this.reads.add(`page:${entry.sourcePath}`);
    return this.canSee(entry) ? entry : undefined;
  }

  list(query: ListQuery): QueryResult<PageEntry> {
    const language = this.#filtered(query);
    const lists = this.#listsOf(query, language);
    const names = this.names(query);
    const table = lists === null ? new QueryTable([], names) : lists.table(language, names);
    return table.select(toTableQuery(query), query, names);
  }

  names({
    template,
    ...query
  }: Pick<ListQuery, "published" | "lang" | "fallback" | "template">): PageNames {
    const language = this.#filtered(query);
    // Those of published pages too, so that visitors who see no unpublished ones know the same names.
    const keys = (): ReadonlySet<string> => {
      const published = this.#listsOf({}, language)?.keys(language);
      if (query.published !== false) return published ?? new Set();
      return new Set([
        ...(this.#listsOf(query, language)?.keys(language) ?? []),
        ...(published ?? []),
      ]);
    };
    const { blueprints, timezone } = this.#deps;
    const isPublished = query.published !== false;
    return new PageNames({ blueprints, keys, template, isPublished, timezone });
  }

  all(query: Pick<ListQuery, "published" | "lang" | "fallback">): readonly PageEntry[] {
    const language = this.#filtered(query);
    return this.#listsOf(query, language)?.ordered(language, "route", "asc") ?? [];
  }

  /** Null: the viewer sees no unpublished pages. */
  #listsOf(
    { published }: Pick<ListQuery, "published">,
    language: ListLanguage,
  ): VisibleLists | null {
    this.#noteLists(language, ["list"]);
    if (published !== false) return this.#lists();
    if (!this.viewer.seesUnpublished) return null;
    this.#personal = true;
    return unreleasedLists(this.#deps.index, this.#deps);
  }

  children(route: string, choice?: LanguageChoice): readonly PageEntry[] {
    const language = this.#walked(choice);
    this.#noteLists(language, [`list:${route}`]);
    return this.#lists().children(language, route);
  }

  modules(page: PageEntry): readonly PageEntry[] {
    const language = this.#walked({ lang: page.standsInFor ?? page.lang });
    this.#noteLists(language, [`list:${page.route}`]);
    return this.#noted(this.canSee(page) ? this.#lists().modules(language, page.route) : []);
  }

  expireAt(time: number): void {
    if (this.#expiresAt === null || time < this.#expiresAt) this.#expiresAt = time;
  }

  nav(choice?: LanguageChoice): readonly NavItem[] {
    this.#noteLists(this.#walked(choice), ["nav"]);
    return navItems(this.#lists(), this.#walked(choice));
  }

  navTree(choice?: LanguageChoice): readonly NavItem[] {
    this.#noteLists(this.#walked(choice), ["nav"]);
    return navTree(this.#lists(), this.#walked(choice));
  }

  taxonomies(choice?: LanguageChoice): Readonly<Record<string, Readonly<Record<string, number>>>> {
    const language = this.#filtered(choice);
    this.#noteLists(language, ["taxonomy"]);
    return countTerms(this.#lists(), language, this.#deps.taxonomies);
  }

  taxonomyPages(name: string, value: string, choice?: LanguageChoice): readonly PageEntry[] {
    const language = this.#filtered(choice);
    this.#noteLists(language, ["taxonomy", "list"]);
    return this.#lists().taxonomy(language).get(name)?.get(value) ?? [];
  }

  async collection(
    query: CollectionQuery,
    self: PageEntry | null,
    pageNumber = 1,
  ): Promise<Collection> {
    const { sources } = this.#deps;
    const { lang = self?.standsInFor ?? self?.lang, fallback } = query;
    const language = this.#walked({ lang, fallback });
    const home = self ?? this.page("/", language.lang) ?? null;
    this.#noteLists(language, sourceTags(listSources(query.items), home));
    const template = query.filter?.["template"];
    const names = this.names({
      lang: language.lang,
      ...(fallback !== undefined && { fallback }),
      ...(typeof template === "string" && { template }),
    });
    const scope = { lists: this.#lists(), language, self: home, view: this, sources, names };
    const collection = await resolveCollection(query, scope, pageNumber);
    this.#noted(collection.items.filter(({ isModule }) => isModule));
    return this.#deps.finish(query, collection);
  }

  load(entry: PageEntry): Promise<Page> {
    this.reads.add(`page:${entry.sourcePath}`).add(`media:${entry.folder}`);
    const standIns = this.#standIns();
    const loading = this.#deps.load(standIns.original(entry), this);
    return entry.standsInFor === undefined
      ? loading
      : loading.then((page) => standIns.page(page, entry));
  }

  readers(entry: PageEntry): readonly string[] {
    return this.#lists().readers(entry);
  }

  translations(entry: PageEntry): readonly { lang: string; url: string; entry: PageEntry }[] {
    const { index, rules } = this.#deps;
    if (rules.languages.length < 2) return [];
    this.reads.add("list");
    const group = index.translations(entry);
    for (const other of group) this.reads.add(`page:${other.sourcePath}`);
    const listed = group.filter((other) => this.isListed(other));
    return listed.map((other) => ({ lang: other.lang, url: other.url, entry: other }));
  }

  #standIns(): StandIns {
    return new StandIns(this.#deps.index, this.#deps.rules);
  }

  #lists(): VisibleLists {
    return visibleLists(this.#deps.index, this.viewer, this.#deps);
  }

  /** Navigation: pages of the default language replace missing translations. */
  #walked(choice: LanguageChoice | undefined): ListLanguage {
    return toListLanguage(choice, { lang: this.#deps.rules.defaultLanguage, fallback: true });
  }

  /** Filters: only pages written in the language. */
  #filtered(choice: LanguageChoice | undefined): ListLanguage {
    return toListLanguage(choice, { lang: this.#deps.rules.defaultLanguage, fallback: false });
  }

  /** Lists depend on every page, and are personal when the viewer can see pages that are not public. */
  #noteLists(language: ListLanguage, tags: readonly string[]): void {
    const { index, now, rules } = this.#deps;
    for (const tag of tags) this.reads.add(tag);
    // Every list depends on which pages have translations, and where.
    if (rules.languages.length > 1) this.reads.add("list");
    const next = index.boundaries[countPassed(index.boundaries, now)];
    if (next !== undefined) this.expireAt(next);
    if (this.#personal || (this.viewer.roles === null && !this.viewer.seesUnpublished)) return;
    const open = visibleLists(index, anonymous, this.#deps).ordered(language).length;
    this.#personal = this.#lists().ordered(language).length !== open;
  }

  /** Modules are in no list of pages, so each one notes its own schedule and roles. */
  #noted(modules: readonly PageEntry[]): readonly PageEntry[] {
    for (const entry of modules) this.#access(entry);
    return modules;
  }

  #access(entry: PageEntry): Access {
    const { now } = this.#deps;
    const next = listBoundaries(entry).find((time) => time > now);
    if (next !== undefined) this.expireAt(next);
    const released = isReleased(entry, now);
    if (seesUnpublished(this.viewer, entry)) {
      if (!released || entry.roles !== null) this.#personal = true;
      return "open";
    }
    if (!released) return "hidden";
    if (entry.roles === null || isOpened(this.viewer, entry)) return "open";
    if (this.viewer.roles === null) return "login";
    this.#personal = true;
    return meetsRoles(entry.roles, this.viewer) ? "open" : "role";
  }
}

/** The dependencies of a view, apart from the index. */
export interface ViewDeps {
  index: ContentIndex;
  rules: RouteRules;
  blueprints: Pick<Blueprints, "of" | "list">;
  /** Time zone of dates without an offset. */
  timezone: string;
  /** Configured taxonomy names. */
  taxonomies: readonly string[];
  /** Unix ms: the time at which schedules are evaluated. */
  now: number;
  sources: ReadonlyMap<string, CollectionSource>;
  load(entry: PageEntry, view: ContentView): Promise<Page>;
  finish(query: CollectionQuery, collection: Collection): Promise<Collection>;
}

/** Shared dependencies of views; each view has its own index and time. */
export function createViewDeps(
  { settings, hooks }: Pick<SiteContext, "settings" | "hooks">,
  loader: Pick<PageLoader, "load">,
  {
    index,
    rules,
    sources,
    blueprints,
  }: Pick<ViewDeps, "index" | "rules" | "sources" | "blueprints">,
): ViewDeps {
  return {
    index,
    now: 0,
    rules,
    blueprints,
    timezone: settings.system.timezone,
    taxonomies: settings.site.taxonomies,
    sources,
    load: (entry, view) => loader.load(entry, view),
    finish: async (query, resolved) => {
      const { collection } = await hooks.transform("onCollectionResolved", {
        query,
        collection: resolved,
      });
      return collection;
    },
  };
}
