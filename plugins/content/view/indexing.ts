/** Tells search engines about pages: the one place that decides whether and where they are indexed. */
import { isRecord, type Settings } from "#kernel";
import type { ContentAddresses, ContentIndexing, PageEntry } from "../contract.js";
import { toFlag } from "../read/front-matter/hiding-keys.js";
import { toLocation } from "./address.js";

type FrontMatter = PageEntry["frontmatter"];

/** Rules of the site and its pages for search engines. */
export class Indexing implements ContentIndexing {
  readonly #site: Pick<Settings["site"], "url" | "metadata">;
  readonly #addresses: Pick<ContentAddresses, "urlOf">;

  constructor({ site }: Pick<Settings, "site">, addresses: Pick<ContentAddresses, "urlOf">) {
    this.#site = site;
    this.#addresses = addresses;
  }

  robots({ frontmatter }: Pick<PageEntry, "frontmatter">): string | null {
    const pageDirectives = [frontmatter["robots"], readRobots(frontmatter["metadata"])].flatMap(
      directives,
    );
    if (toFlag(frontmatter["noindex"]) === true) pageDirectives.push("noindex");
    const stated =
      pageDirectives.length > 0 ? pageDirectives : directives(readRobots(this.#site.metadata));
    return stated.length === 0 ? null : [...new Set(stated)].join(", ");
  }

  canonical(entry: PageEntry, pageNumber = 1): string {
    const stated = readCanonical(entry.frontmatter);
    if (stated !== null) return stated.startsWith("/") ? this.#site.url + stated : stated;
    const address = this.#addressOf(entry);
    return pageNumber > 1 ? `${bare(address)}/page:${pageNumber}` : address;
  }

  isIndexed(entry: PageEntry): boolean {
    const robots = this.robots(entry);
    if (robots !== null && /(?:^|[\s,])(?:noindex|none)(?:$|[\s,])/i.test(robots)) return false;
    return bare(this.canonical(entry)) === bare(this.#addressOf(entry));
  }

  isInSitemap(entry: PageEntry): boolean {
    return this.isIndexed(entry) && !isLeftOut(entry.frontmatter, "sitemap");
  }

  isInSearch({ frontmatter }: Pick<PageEntry, "frontmatter">): boolean {
    return !isLeftOut(frontmatter, "search");
  }

  /** A page that replaces a translation is the page in its own language. */
  #addressOf({ route, lang }: PageEntry): string {
    return this.#site.url + this.#addresses.urlOf(route, lang);
  }
}

/** Words of other systems in a map: `sitemap: { disable: true }`, `search: { exclude: true }`. */
const LEAVING_OUT = ["disable", "exclude", "ignore"];

/** True for `search: false`, a map with a word of `LEAVING_OUT`, `search_exclude: true` and `excludeSearch: true`. */
function isLeftOut(frontmatter: FrontMatter, key: "sitemap" | "search"): boolean {
  const value = frontmatter[key];
  if (toFlag(value) === false) return true;
  const name = key.replace(/^./, (first) => first.toUpperCase());
  const words = [`${key}_exclude`, `exclude_${key}`, `exclude${name}`];
  return (
    words.some((word) => toFlag(frontmatter[word]) === true) ||
    (isRecord(value) && LEAVING_OUT.some((word) => toFlag(value[word]) === true))
  );
}

function bare(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}

/** The names of meta tags are case-insensitive. */
function readRobots(metadata: unknown): unknown {
  if (!isRecord(metadata)) return undefined;
  return Object.entries(metadata).find(([name]) => name.toLowerCase() === "robots")?.[1];
}

/** Directives as a text or a list: `noindex, nofollow` or `[noindex, nofollow]`. */
function directives(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(directives);
  if (typeof value !== "string") return [];
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** A path of the site or an http(s) URL; other values are reported by the index. */
function readCanonical({ routes }: FrontMatter): string | null {
  const canonical = isRecord(routes) ? routes["canonical"] : undefined;
  return typeof canonical === "string" ? toLocation(canonical.trim()) : null;
}
