/** Addresses that other systems give lists of terms and feeds, and where these are here. */
import type { ImportedPage, ImportedRedirect, NotImported, Origin } from "../contract.js";
import { isRecord } from "#kernel";
import type { SourceName } from "../names.js";
import { toSlug } from "../plan/safe-name.js";

/** Folders of the terms of a taxonomy. */
interface TermFolders {
  readonly category: readonly string[];
  readonly tag: readonly string[];
}

const PLURAL: TermFolders = { category: ["categories"], tag: ["tags"] };
/** Those of WordPress and Ghost follow from their exports. */
const TERMS: Partial<Record<SourceName, TermFolders>> = {
  hugo: PLURAL,
  jekyll: {
    category: ["categories", "category", "blog/category"],
    tag: ["tags", "tag", "blog/tag"],
  },
  eleventy: { category: ["categories", "category"], tag: ["tags", "tag"] },
  docusaurus: { category: [], tag: ["blog/tags", "docs/tags", "tags"] },
  mkdocs: { category: ["blog/category"], tag: ["blog/tags", "tags"] },
};
const ATOM = "/atom.xml";
const RSS = "/feed.xml";
const JSON_FEED = "/feed.json";
/** Old address of a feed to the one here. */
const FEEDS: Partial<Record<SourceName, Readonly<Record<string, string>>>> = {
  wordpress: {
    "/feed": RSS,
    "/feed/rss": RSS,
    "/feed/rss2": RSS,
    "/feed/rdf": RSS,
    "/feed/atom": ATOM,
    "/rss": RSS,
    "/rss.xml": RSS,
    "/?feed=rss2": RSS,
    "/?feed=atom": ATOM,
    "/blog/feed": RSS,
  },
  ghost: { "/rss": RSS, "/feed": RSS, "/blog/rss": RSS },
  hugo: {
    "/index.xml": RSS,
    "/feed": RSS,
    "/rss.xml": RSS,
    "/posts/index.xml": RSS,
    "/post/index.xml": RSS,
    "/blog/index.xml": RSS,
    "/news/index.xml": RSS,
    "/articles/index.xml": RSS,
  },
  jekyll: { "/feed": RSS, "/rss.xml": RSS, "/rss": RSS, "/index.xml": RSS },
  eleventy: {
    "/feed": RSS,
    "/rss.xml": RSS,
    "/feed/feed.xml": RSS,
    "/feed/feed.json": JSON_FEED,
    "/index.xml": RSS,
    "/blog/feed.xml": RSS,
    "/posts/feed.xml": RSS,
  },
  zola: { "/rss.xml": RSS, "/atom.xml": ATOM, "/blog/rss.xml": RSS, "/blog/atom.xml": ATOM },
  starlight: { "/rss.xml": RSS, "/blog/rss.xml": RSS, "/feed": RSS },
  vitepress: { "/feed.rss": RSS, "/rss.xml": RSS, "/feed.atom": ATOM },
  vuepress: { "/rss.xml": RSS, "/feed.rss": RSS },
  nuxt: { "/rss.xml": RSS, "/blog/rss.xml": RSS, "/feed": RSS },
  docusaurus: { "/blog/rss.xml": RSS, "/blog/atom.xml": ATOM, "/blog/feed.json": JSON_FEED },
  mkdocs: {
    "/feed_rss_created.xml": RSS,
    "/feed_rss_updated.xml": RSS,
    "/feed_json_created.json": JSON_FEED,
    "/feed_json_updated.json": JSON_FEED,
  },
  grav: { "/blog.rss": RSS, "/blog.atom": ATOM, "/rss": RSS },
  kirby: { "/feed": RSS, "/rss": RSS, "/blog/feed": RSS },
};

/** Collects the terms of public pages, and gives the redirects of lists and feeds of a source. */
export class OldLists {
  readonly #source: SourceName;
  readonly #terms = new Map<string, { readonly name: "category" | "tag"; readonly term: string }>();
  readonly #feeds = new Map<string, Origin>();
  #isBlog = false;

  constructor(source: SourceName) {
    this.#source = source;
  }

  add({ frontmatter, translation }: ImportedPage): void {
    const { taxonomy, status, published, date } = frontmatter;
    const isHidden = status !== undefined && status !== null;
    if (translation !== undefined || isHidden || published === false) return;
    if (typeof date === "string") this.#isBlog = true;
    if (!isRecord(taxonomy)) return;
    for (const name of ["category", "tag"] as const) {
      const terms = taxonomy[name];
      for (const term of Array.isArray(terms) ? terms : [])
        if (typeof term === "string" && term !== "")
          this.#terms.set(`${name} ${term}`, { name, term });
    }
  }

  /** Keeps the address of a feed that a template of the source makes. */
  leave({ origin, addresses = [] }: NotImported): void {
    for (const address of addresses)
      if (address.startsWith("/") && FEED.test(address)) this.#feeds.set(address, origin);
  }

  *redirects(origin: Origin): Generator<ImportedRedirect> {
    const folders = TERMS[this.#source];
    for (const { name, term } of this.#terms.values()) {
      for (const folder of folders?.[name] ?? [])
        yield termRedirect(`/${folder}/${toSlug(term)}`, { name, term }, origin);
    }
    if (folders !== undefined && this.#terms.size > 0) {
      const names = new Set([...this.#terms.values()].map(({ name }) => name));
      for (const name of names)
        for (const folder of folders[name])
          yield { kind: "redirect", origin, from: `/${folder}`, to: `/${name}`, target: "listing" };
    }
    if (!this.#isBlog) return;
    for (const [from, own] of this.#feeds) yield feedRedirect(from, own);
    for (const [from, to] of Object.entries(FEEDS[this.#source] ?? {}))
      yield { kind: "redirect", origin, from, to, target: "feed" };
  }
}

/** A path at which systems have a feed. */
const FEED = /(?:^|\/)(?:feed|rss|atom)(?:\.(?:xml|rss|atom|json))?$|\.(?:rss|atom)$/;

/** The redirect from the old address of a feed. */
export function feedRedirect(from: string, origin: Origin): ImportedRedirect {
  const to = from.endsWith(".json") ? JSON_FEED : /atom(?:\.xml)?$/.test(from) ? ATOM : RSS;
  return { kind: "redirect", origin, from, to, target: "feed" };
}

/** The redirect from the old address of a term. */
export function termRedirect(
  from: string,
  { name, term }: { readonly name: string; readonly term: string },
  origin: Origin,
): ImportedRedirect {
  return { kind: "redirect", origin, from, to: `/${name}/${term}`, target: "listing" };
}
