/** The tree as one viewer sees it: the single gate every surface goes through. */
import type {
  Collection,
  CollectionQuery,
  CollectionSource,
  ContentView,
  ListQuery,
  NavItem,
  Page,
  PageEntry,
  RouteMatch,
  Viewer,
} from "./contract.js";
import { sourcesOf, tagsOf } from "./collection-items.js";
import { resolveCollection } from "./collections.js";
import type { ContentIndex } from "./content-index.js";
import { meetsRoles } from "./gating.js";
import { listPages } from "./list.js";
import { navItems, navTree, type NavLanguages } from "./nav.js";
import { resolveRoute, type Access, type RouteRules } from "./resolve-route.js";
import { boundariesOf, isReleased } from "./schedule.js";
import { countTerms } from "./taxonomy.js";
import { epochOf, unreleasedLists, visibleLists, type VisibleLists } from "./visible-lists.js";

/** What a view needs beside the index. */
export interface ViewDeps {
  index: ContentIndex;
  rules: RouteRules;
  /** Configured taxonomy names. */
  taxonomies: readonly string[];
  /** Unix ms: what is scheduled is judged at this moment. */
  now: number;
  sources: ReadonlyMap<string, CollectionSource>;
  load(entry: PageEntry, view: ContentView): Promise<Page>;
  loaded(entry: PageEntry, view: ContentView): Page | null;
  finish(query: CollectionQuery, collection: Collection): Collection | Promise<Collection>;
}

/** A visitor without a session. */
export const anonymous: Viewer = Object.freeze({ roles: null, seesUnpublished: false });

/** The view of one viewer on one generation, at one moment. */
export class TreeView implements ContentView {
  readonly viewer: Viewer;
  readonly reads = new Set<string>();
  readonly #deps: ViewDeps;
  #personal = false;
  #expiresAt: number | null = null;

  constructor(deps: ViewDeps, viewer: Viewer) {
    this.#deps = deps;
    this.viewer = viewer;
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

  resolve(path: string): RouteMatch {
    return resolveRoute(path, {
      index: this.#deps.index,
      rules: this.#deps.rules,
      access: (entry) => this.#access(entry),
      note: (tag) => this.reads.add(tag),
    });
  }

  page(route: string, lang?: string): PageEntry | undefined {
    this.reads.add(`route:${route}`);
    const { index, rules } = this.#deps;
    const { defaultLanguage } = rules;
    const entry = this.#visible(index.at(route, lang ?? defaultLanguage));
    if (entry !== undefined || lang === undefined || lang === defaultLanguage) return entry;
    return this.#visible(index.at(route, defaultLanguage));
  }

  #visible(entry: PageEntry | undefined): PageEntry | undefined {
    if (entry === undefined) return undefined;
    this.reads.add(`page:${entry.sourcePath}`);
    return this.canSee(entry) ? entry : undefined;
  }

  list(query: ListQuery): { items: readonly PageEntry[]; total: number } {
    const lang = query.lang ?? this.#deps.rules.defaultLanguage;
    this.#noteLists(lang, ["list"]);
    const { offset, limit } = query;
    if (query.published !== false) {
      const all = listPages(this.#lists(), query, lang);
      return { items: all.slice(offset, offset + limit), total: all.length };
    }
    if (!this.viewer.seesUnpublished) return { items: [], total: 0 };
    this.#personal = true;
    const all = listPages(unreleasedLists(this.#deps.index, this.#deps.now), query, lang);
    return { items: all.slice(offset, offset + limit), total: all.length };
  }

  children(route: string, lang?: string): readonly PageEntry[] {
    const wanted = lang ?? this.#deps.rules.defaultLanguage;
    this.#noteLists(wanted, [`list:${route}`]);
    return this.#lists().children(wanted, route);
  }

  nav(lang?: string): readonly NavItem[] {
    return navItems(this.#lists(), this.#navLanguages(lang));
  }

  navTree(lang?: string): readonly NavItem[] {
    return navTree(this.#lists(), this.#navLanguages(lang));
  }

  #navLanguages(lang: string | undefined): NavLanguages {
    const { rules } = this.#deps;
    const isKnown = lang !== undefined && rules.languages.includes(lang);
    const wanted = isKnown ? lang : rules.defaultLanguage;
    this.#noteLists(wanted, ["nav"]);
    return { lang: wanted, rules };
  }

  taxonomies(lang?: string): Readonly<Record<string, Readonly<Record<string, number>>>> {
    const wanted = lang ?? this.#deps.rules.defaultLanguage;
    this.#noteLists(wanted, ["taxonomy"]);
    return countTerms(this.#lists(), wanted, this.#deps.taxonomies);
  }

  taxonomyPages(name: string, value: string, lang?: string): readonly PageEntry[] {
    const wanted = lang ?? this.#deps.rules.defaultLanguage;
    this.#noteLists(wanted, ["taxonomy", "list"]);
    return this.#lists().taxonomy(wanted).get(name)?.get(value) ?? [];
  }

  async collection(
    query: CollectionQuery,
    self: PageEntry | null,
    pageNumber = 1,
  ): Promise<Collection> {
    const { index, rules, sources } = this.#deps;
    const lang = self?.lang ?? rules.defaultLanguage;
    const home = self ?? index.at("/", lang) ?? null;
    this.#noteLists(lang, tagsOf(sourcesOf(query.items), home));
    const scope = { lists: this.#lists(), lang, self: home, view: this, sources };
    return this.#deps.finish(query, await resolveCollection(query, scope, pageNumber));
  }

  load(entry: PageEntry): Promise<Page> {
    this.reads.add(`page:${entry.sourcePath}`).add(`media:${entry.folder}`);
    return this.#deps.load(entry, this);
  }

  loaded(entry: PageEntry): Page | null {
    const page = this.#deps.loaded(entry, this);
    if (page !== null) this.reads.add(`page:${entry.sourcePath}`).add(`media:${entry.folder}`);
    return page;
  }

  translations(entry: PageEntry): readonly { lang: string; url: string; entry: PageEntry }[] {
    const { index, rules } = this.#deps;
    if (rules.languages.length < 2) return [];
    this.reads.add("list");
    const group = index.translations(entry).filter((other) => other.routable);
    for (const other of group) this.reads.add(`page:${other.sourcePath}`);
    return group
      .filter((other) => this.canSee(other))
      .map((other) => ({ lang: other.lang, url: other.url, entry: other }));
  }

  #lists(): VisibleLists {
    return visibleLists(this.#deps.index, this.viewer, this.#deps.now);
  }

  /** Lists consider every page, and are personal when the viewer sees one that anonymous visitors do not. */
  #noteLists(lang: string, tags: readonly string[]): void {
    const { index, now } = this.#deps;
    for (const tag of tags) this.reads.add(tag);
    const next = index.boundaries[epochOf(index.boundaries, now)];
    if (next !== undefined) this.#expire(next);
    if (this.#personal || (this.viewer.roles === null && !this.viewer.seesUnpublished)) return;
    const open = visibleLists(index, anonymous, now).ordered(lang).length;
    this.#personal = this.#lists().ordered(lang).length !== open;
  }

  #access(entry: PageEntry): Access {
    const { now } = this.#deps;
    const next = boundariesOf(entry).find((time) => time > now);
    if (next !== undefined) this.#expire(next);
    const released = isReleased(entry, now);
    if (this.#seesUnpublished(entry)) {
      if (!released || entry.roles !== null) this.#personal = true;
      return "open";
    }
    if (!released) return "hidden";
    if (entry.roles === null) return "open";
    if (this.viewer.roles === null) return "login";
    this.#personal = true;
    return meetsRoles(entry.roles, this.viewer) ? "open" : "role";
  }

  #seesUnpublished(entry: PageEntry): boolean {
    const { seesUnpublished, onlyOpen } = this.viewer;
    return seesUnpublished && !(onlyOpen === true && entry.roles !== null);
  }

  #expire(time: number): void {
    if (this.#expiresAt === null || time < this.#expiresAt) this.#expiresAt = time;
  }
}
