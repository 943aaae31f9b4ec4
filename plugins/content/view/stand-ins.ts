/** Pages of the default language that are shown where a translation is missing. */
import { joinRoute, toUrl, type LanguageRules } from "./address.js";
import type { Page, PageEntry } from "../contract.js";
import type { ContentIndex } from "../index/content-index.js";
import { isPublished } from "../schedule/publication-time.js";

/** Stand-ins of one generation: the same objects each time, so that they work as cache keys. */
export class StandIns {
  readonly #index: ContentIndex;
  readonly #rules: LanguageRules;

  constructor(index: ContentIndex, rules: LanguageRules) {
    this.#index = index;
    this.#rules = rules;
  }

  /** The entry under its address in `lang`. */
  entry(entry: PageEntry, lang: string): PageEntry {
    if (entry.lang === lang) return entry;
    const copies = this.#made<PageEntry>(`stand-ins ${lang}`);
    let standIn = copies.get(entry);
    if (standIn === undefined) {
      standIn = { ...entry, url: toUrl(entry.route, lang, this.#rules), standsInFor: lang };
      copies.set(entry, standIn);
    }
    return standIn;
  }

  /** The index entry of an entry or of a stand-in. */
  original(entry: PageEntry): PageEntry {
    if (entry.standsInFor === undefined) return entry;
    return this.#index.bySource.get(entry.sourcePath) ?? entry;
  }

  /** The loaded page of a stand-in. */
  page(page: Page, { url, standsInFor }: PageEntry): Page {
    if (standsInFor === undefined) return page;
    const copies = this.#made<Page>(`stand-in pages ${standsInFor}`);
    let standIn = copies.get(page);
    if (standIn === undefined) {
      standIn = { ...page, entry: { ...page.entry, url, standsInFor } };
      copies.set(page, standIn);
    }
    return standIn;
  }

  #made<T extends object>(key: string): WeakMap<T, T> {
    // Not in site.cache: stand-ins live as long as their generation of the index.
    return this.#index.once(key, () => new WeakMap<T, T>(), isWeakMap<T>);
  }

  /** Translations of the page in a language, and the page at its address there. */
  translations(entry: PageEntry, lang: string): readonly PageEntry[] {
    const atAddress = this.#index.at(entry.route, lang);
    const group = this.#index.translations(entry).filter((other) => other.lang === lang);
    return atAddress === undefined || group.includes(atAddress) ? group : [...group, atAddress];
  }

  /** Candidates for a route in a language, best first: the page, its translation, the original. */
  *candidates(route: string, lang: string): Generator<PageEntry> {
    const exact = this.#index.at(route, lang);
    if (exact !== undefined) yield exact;
    const { defaultLanguage } = this.#rules;
    const original = lang === defaultLanguage ? undefined : this.#index.at(route, defaultLanguage);
    if (original === undefined) return;
    yield* this.translations(original, lang).filter(({ routable }) => routable);
    yield original;
  }

  /** The address in a language: a public translation, else the page that replaces it. */
  addressIn(entry: PageEntry, lang: string): string {
    if (entry.lang === lang) return entry.url;
    const isOut = (other: PageEntry): boolean => other.routable && isPublished(other);
    const group = this.#index.translations(entry).filter(isOut);
    const translation = group.find((other) => other.lang === lang);
    if (translation !== undefined) return translation.url;
    const original = [entry, ...group].find((one) => one.lang === this.#rules.defaultLanguage);
    return original === undefined ? entry.url : toUrl(original.route, lang, this.#rules);
  }

  /** The default-language route of the page at a route; translations share it. */
  originalRoute(route: string, lang: string): string {
    const { defaultLanguage } = this.#rules;
    if (lang === defaultLanguage || route === "/") return route;
    const entry = this.#index.at(route, lang);
    const original = entry && this.#index.translations(entry).find(isOriginal(defaultLanguage));
    if (original !== undefined) return original.route;
    const end = route.lastIndexOf("/");
    return joinRoute(this.originalRoute(route.slice(0, end) || "/", lang), route.slice(end + 1));
  }
}

function isOriginal(defaultLanguage: string): (entry: PageEntry) => boolean {
  return ({ lang, routable }) => lang === defaultLanguage && routable;
}

/** Type guard for `once`, whose keys are unique per kind. */
function isWeakMap<T extends object>(value: unknown): value is WeakMap<T, T> {
  return value instanceof WeakMap;
}
