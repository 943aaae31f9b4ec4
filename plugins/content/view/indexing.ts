/** What pages tell search engines: the one place that decides whether and where they are indexed. */
import { isRecord, type Settings } from "#kernel";
import type { ContentAddresses, ContentIndexing, PageEntry } from "../contract.js";
import { toFlag } from "../read/front-matter/flags.js";
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
    const own = [frontmatter["robots"], robotsIn(frontmatter["metadata"])].flatMap(directives);
    if (toFlag(frontmatter["noindex"]) === true) own.push("noindex");
    const stated = own.length > 0 ? own : directives(robotsIn(this.#site.metadata));
    return stated.length === 0 ? null : [...new Set(stated)].join(", ");
  }

  canonical(entry: PageEntry, pageNumber = 1): string {
    const stated = canonicalIn(entry.frontmatter);
    if (stated !== null) return stated.startsWith("/") ? this.#site.url + stated : stated;
    const own = this.#addressOf(entry);
    return pageNumber > 1 ? `${bare(own)}/page:${pageNumber}` : own;
  }

  isIndexed(entry: PageEntry): boolean {
    const robots = this.robots(entry);
    if (robots !== null && /(?:^|[\s,])(?:noindex|none)(?:$|[\s,])/i.test(robots)) return false;
    return bare(this.canonical(entry)) === bare(this.#addressOf(entry));
  }

  /** A page that replaces a translation is the page in its own language. */
  #addressOf({ route, lang }: PageEntry): string {
    return this.#site.url + this.#addresses.urlOf(route, lang);
  }
}

function bare(address: string): string {
  return address.replace(/\/+$/, "");
}

/** The names of meta tags are case-insensitive. */
function robotsIn(metadata: unknown): unknown {
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
function canonicalIn({ routes }: FrontMatter): string | null {
  const canonical = isRecord(routes) ? routes["canonical"] : undefined;
  return typeof canonical === "string" ? toLocation(canonical.trim()) : null;
}
