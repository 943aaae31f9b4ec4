/** The lists that one kind of viewer sees of a generation, cached after first use. */
import { isPrivateKey } from "#lib/front-matter";
import { QueryTable, type DirectedOrder } from "#lib/query";
import type { LanguageChoice, PageEntry, Viewer } from "../contract.js";
import type { ContentIndex } from "../index/content-index.js";
import { isOpened, meetsRoles } from "../index/gating.js";
import type { Direction, OrderBy } from "../index/orders.js";
import { countPassed, isReleased } from "../schedule/publication-time.js";
import { groupBy } from "../index/lookups.js";
import { languageKey, toListLanguage, type ListLanguage } from "./languages.js";
import { BY_ROUTE, type PageNames } from "./page-names.js";
import { redirectOf, type RouteRules } from "./resolve-route.js";
import { StandIns } from "./stand-ins.js";

const MEMO_LIMIT = 256;
/** Names of queries by which the index keeps pages sorted. */
const SORTED: ReadonlyMap<string, OrderBy> = new Map([
  ["date", "date"],
  ["title", "title"],
  ["order", "order"],
  [BY_ROUTE, "route"],
]);

/** Dependencies of lists, apart from the index and the viewer. */
export interface ListRules {
  /** Unix ms: the time at which schedules are evaluated. */
  now: number;
  rules: RouteRules;
}
/** Selects the pages of a list. */
interface Choice {
  sees(entry: PageEntry): boolean;
  /** True for a translation that hides its original in lists with fallback. */
  hides(translation: PageEntry): boolean;
}

/** The visible pages of a generation between two boundaries of its schedule. */
export class VisibleLists {
  readonly #index: ContentIndex;
  readonly #rules: RouteRules;
  readonly #sees: Choice["sees"];
  readonly #hides: Choice["hides"];
  readonly #standIns: StandIns;
  readonly #memo = new Map<string, unknown>();

  constructor(index: ContentIndex, rules: RouteRules, { sees, hides }: Choice) {
    this.#index = index;
    this.#rules = rules;
    this.#sees = (entry) => sees(entry) && redirectOf(entry, rules) === null;
    this.#hides = hides;
    this.#standIns = new StandIns(index, rules);
  }

  /** Every listable page of a language, sorted. */
  ordered(
    language: LanguageChoice,
    by: OrderBy = "tree",
    dir: Direction = "asc",
  ): readonly PageEntry[] {
    const chosen = this.#language(language);
    return this.once(`ordered ${languageKey(chosen)} ${by} ${dir}`, isEntries, () =>
      this.#within(this.#index.orders.get(by, dir), chosen),
    );
  }

  /** The pages of the navigation, in tree order. */
  inNavigation(language: LanguageChoice): readonly PageEntry[] {
    return this.#within(this.#index.navigation, this.#language(language));
  }

  /** The direct children of a route, in tree order; below `/` all top-level pages except home. */
  children(language: LanguageChoice, route: string): readonly PageEntry[] {
    const chosen = this.#language(language);
    const byParent = this.once(`children ${languageKey(chosen)}`, isMapOfEntries, () =>
      groupBy(this.ordered(chosen), (entry) =>
        entry.route === "/" ? null : (this.parentKey(entry) ?? "/"),
      ),
    );
    return byParent.get(this.#standIns.originalRoute(route, chosen.lang)) ?? [];
  }

  /** Every page below a route, in tree order. */
  descendants(language: LanguageChoice, route: string): readonly PageEntry[] {
    const chosen = this.#language(language);
    const pages = this.ordered(chosen);
    if (route === "/") return pages.filter((entry) => entry.route !== "/");
    const above = this.#standIns.originalRoute(route, chosen.lang);
    return pages.filter((entry) => {
      const parent = this.parentKey(entry);
      return parent !== null && (parent === above || parent.startsWith(`${above}/`));
    });
  }

  /** The modules of the page at a route, in tree order. */
  modules(language: LanguageChoice, route: string): readonly PageEntry[] {
    const chosen = this.#language(language);
    const byParent = this.once(`modules ${languageKey(chosen)}`, isMapOfEntries, () => {
      const all = this.#index.entries.filter(({ isModule }) => isModule);
      return groupBy(this.#within(all, chosen), (entry) => this.parentKey(entry) ?? "/");
    });
    return byParent.get(this.#standIns.originalRoute(route, chosen.lang)) ?? [];
  }

  taxonomy(language: LanguageChoice): Postings {
    const chosen = this.#language(language);
    return this.once(`taxonomy ${languageKey(chosen)}`, isPostings, () =>
      buildPostings(this.ordered(chosen, "date", "desc")),
    );
  }

  /** The table that lists of a language are selected from: every listable page, by route. */
  table(language: LanguageChoice, names: PageNames): QueryTable<PageEntry> {
    const chosen = this.#language(language);
    const make = (): QueryTable<PageEntry> => {
      const all = (): readonly PageEntry[] => this.ordered(chosen, "route");
      const by = ({ name, dir }: DirectedOrder): readonly PageEntry[] | undefined => {
        const order = SORTED.get(name);
        return order && this.ordered(chosen, order, dir);
      };
      return new QueryTable({ all, by }, names);
    };
    return this.once(`table ${languageKey(chosen)}`, isPageTable, make);
  }

  /** The public keys of front matter that the listable pages of a language have. */
  keys(language: LanguageChoice): ReadonlySet<string> {
    const chosen = this.#language(language);
    return this.once(`keys ${languageKey(chosen)}`, isKeys, () => {
      const keys = new Set<string>();
      for (const { frontmatter } of this.ordered(chosen, "route"))
        for (const key of Object.keys(frontmatter)) if (!isPrivateKey(key)) keys.add(key);
      return keys;
    });
  }

  /** The page's route in the default language, shared by all its translations. */
  entryKey({ route, lang }: PageEntry): string {
    return this.#standIns.originalRoute(route, lang);
  }

  /** Like `placeOf`, for the parent page; null at top level and for the home page. */
  parentKey({ parent, lang }: PageEntry): string | null {
    return parent === null ? null : this.#standIns.originalRoute(parent, lang);
  }

  /** The language of a page, and those where it replaces a missing translation. */
  readers(entry: PageEntry): string[] {
    const others = this.#rules.languages.filter((lang) => lang !== entry.lang);
    return [entry.lang, ...others.filter((lang) => this.#standIn(entry, lang) !== null)];
  }

  /** Fallback does not apply to the default language. */
  #language(choice: LanguageChoice): ListLanguage {
    const { defaultLanguage } = this.#rules;
    const chosen = toListLanguage(choice, { lang: defaultLanguage, fallback: false });
    return chosen.lang === defaultLanguage ? { ...chosen, fallback: false } : chosen;
  }

  #within(entries: readonly PageEntry[], { lang, fallback }: ListLanguage): PageEntry[] {
    if (!fallback) return entries.filter((entry) => entry.lang === lang && this.#sees(entry));
    const listed: PageEntry[] = [];
    for (const entry of entries) {
      const shown = entry.lang === lang ? entry : this.#standIn(entry, lang);
      if (shown !== null && this.#sees(entry) && redirectOf(shown, this.#rules) === null)
        listed.push(shown);
    }
    return listed;
  }

  /** The stand-in of a page; null when it is of another language or translated. */
  #standIn(entry: PageEntry, lang: string): PageEntry | null {
    if (entry.lang !== this.#rules.defaultLanguage) return null;
    const isTranslated = this.#standIns
      .translations(entry, lang)
      .some((other) => (other.routable || other.isModule) && this.#hides(other));
    return isTranslated ? null : this.#standIns.entry(entry, lang);
  }

  /** Computes a value once per key; evicts the oldest beyond 256. */
  once<T>(key: string, isT: (value: unknown) => value is T, make: () => T): T {
    const cached = this.#memo.get(key);
    if (isT(cached)) return cached;
    const list = make();
    if (this.#memo.size >= MEMO_LIMIT) {
      for (const oldest of this.#memo.keys()) {
        this.#memo.delete(oldest);
        break;
      }
    }
    this.#memo.set(key, list);
    return list;
  }
}

/** The lists of a viewer at a moment; viewers with the same roles share them. */
export function visibleLists(
  index: ContentIndex,
  viewer: Viewer,
  { now, rules }: ListRules,
): VisibleLists {
  const key = `visible ${countPassed(index.boundaries, now)} ${viewerKey(viewer)}`;
  const hides = (translation: PageEntry): boolean => isReleased(translation, now);
  const sees = (entry: PageEntry): boolean =>
    isReleased(entry, now) &&
    (seesGated(viewer) || meetsRoles(entry.roles, viewer) || isOpened(viewer, entry));
  return index.once(key, () => new VisibleLists(index, rules, { sees, hides }), isVisibleLists);
}

/** The unreleased pages, for viewers with access to them. */
export function unreleasedLists(index: ContentIndex, { now, rules }: ListRules): VisibleLists {
  const key = `unreleased ${countPassed(index.boundaries, now)}`;
  const sees = (entry: PageEntry): boolean => !isReleased(entry, now);
  const choice = { sees, hides: () => true };
  return index.once(key, () => new VisibleLists(index, rules, choice), isVisibleLists);
}

/** True for viewers with access to every page, regardless of its roles. */
function seesGated({ seesUnpublished, onlyOpen }: Viewer): boolean {
  return seesUnpublished && onlyOpen !== true;
}

function viewerKey(viewer: Viewer): string {
  if (seesGated(viewer)) return "all";
  const { roles, moment } = viewer;
  const opens = moment?.opens ?? null;
  if (opens !== null) return JSON.stringify({ opens, roles: roles && [...roles].sort() });
  return roles === null ? "anonymous" : JSON.stringify([...roles].sort());
}

function isVisibleLists(value: unknown): value is VisibleLists {
  return value instanceof VisibleLists;
}

/** Type guard for `once`, whose keys are unique per kind. */
export function isPageTable(value: unknown): value is QueryTable<PageEntry> {
  return value instanceof QueryTable;
}

function isKeys(value: unknown): value is ReadonlySet<string> {
  return value instanceof Set;
}

/** Type guard for `once`, whose keys are unique per kind. */
export function isEntries(value: unknown): value is readonly PageEntry[] {
  return Array.isArray(value);
}

function isMapOfEntries(value: unknown): value is ReadonlyMap<string, readonly PageEntry[]> {
  return value instanceof Map;
}

function isPostings(value: unknown): value is Postings {
  return value instanceof Map;
}

/** The values a page has of a taxonomy. */
export function listTerms(entry: PageEntry, name: string): readonly string[] {
  return Object.hasOwn(entry.taxonomy, name) ? (entry.taxonomy[name] ?? []) : [];
}

/** Name to value to number of pages. */
type TermCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The counts of the configured taxonomies, sorted by value; an unused one is empty. */
export function countTerms(
  lists: VisibleLists,
  language: LanguageChoice,
  names: readonly string[],
): TermCounts {
  return lists.once(`counts ${JSON.stringify(language)}`, isTermCounts, () => {
    const postings = lists.taxonomy(language);
    return Object.fromEntries(
      names.map((name) => [name, countValues(postings.get(name) ?? new Map())]),
    );
  });
}

function countValues(byValue: ReadonlyMap<string, readonly unknown[]>): Record<string, number> {
  const counts = [...byValue].map(([value, pages]): [string, number] => [value, pages.length]);
  return Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isTermCounts(value: unknown): value is TermCounts {
  return value !== undefined;
}

/** Name to value to pages, newest first. */
type Postings = ReadonlyMap<string, ReadonlyMap<string, readonly PageEntry[]>>;

/** The pages that have each value of each taxonomy. */
function buildPostings(entries: readonly PageEntry[]): Map<string, Map<string, PageEntry[]>> {
  const postings = new Map<string, Map<string, PageEntry[]>>();
  for (const entry of entries) {
    for (const [name, values] of Object.entries(entry.taxonomy)) {
      let byValue = postings.get(name);
      if (byValue === undefined) postings.set(name, (byValue = new Map()));
      for (const value of values) {
        const list = byValue.get(value);
        if (list === undefined) byValue.set(value, [entry]);
        else list.push(entry);
      }
    }
  }
  return postings;
}
