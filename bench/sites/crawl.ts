/** Crawls a running site: each page once, with its links, anchors, images and visible text. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** A link or image that leads to nothing. */
export interface DeadTarget {
  /** The page that has it. */
  readonly page: string;
  readonly target: string;
  readonly kind: "link" | "anchor" | "image";
  readonly status: number;
  /** False: it is around the text, in a part of the theme that many pages have. */
  readonly isText: boolean;
}
/** What a crawl found. */
export interface Crawl {
  /** Pages of the site; `crawled` of them were read. */
  readonly pages: number;
  readonly crawled: number;
  /** Links within the site in the text of the pages, each once for a page, and how many of them name an anchor. */
  readonly links: number;
  readonly anchors: number;
  readonly images: number;
  readonly dead: readonly DeadTarget[];
  /** Addresses that gave a status of 500 or more. */
  readonly failed: readonly string[];
  /** The visible text of each page without its code. */
  readonly texts: ReadonlyMap<string, string>;
}
/** The answer of a site. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** The address of a redirect; null for any other answer. */
  readonly location: string | null;
}
/** Reads an address that begins with a slash. */
export type Read = (path: string) => Promise<Answer>;

/** What a page contains. */
interface Page {
  readonly ids: ReadonlySet<string>;
  /** Links of the whole page, in the order of the text, and whether they are in its text, not around it. */
  readonly links: readonly { readonly href: string; readonly isText: boolean }[];
  readonly images: readonly string[];
  readonly text: string;
}

const HOST = "http://site.invalid";
const HIDDEN: ReadonlySet<string> = new Set(
  "script style template noscript code pre textarea svg math head".split(" "),
);
/** Parts of the theme within the main part of a page: sidebar, contents, neighbours. */
const AROUND: ReadonlySet<string> = new Set(["nav", "aside"]);
const BLOCKS =
  /^(?:p|div|li|ul|ol|h[1-6]|tr|td|th|section|article|main|blockquote|figure|br|dt|dd)$/;
const MAX_HOPS = 5;

/** How many pages of a site are read. */
export interface CrawlLimits {
  /** A site of at most so many pages is read whole. */
  readonly whole: number;
  /** Of any other site, so many pages are read, spread evenly over its sitemap. */
  readonly sample: number;
}

/** Crawls a site. */
export async function crawlSite(read: Read, limits: CrawlLimits): Promise<Crawl> {
  return new Crawler(read, limits).run();
}

class Crawler {
  readonly #read: Read;
  readonly #limits: CrawlLimits;
  /** The status of each address, after redirects; null while it is not known. */
  readonly #answers = new Map<string, { status: number; page: Page | null; path: string }>();
  readonly #known = new Set<string>();
  readonly #dead: DeadTarget[] = [];
  readonly #failed: string[] = [];
  readonly #texts = new Map<string, string>();
  readonly #around = new Set<string>();
  #links = 0;
  #anchors = 0;
  #images = 0;

  constructor(read: Read, limits: CrawlLimits) {
    this.#read = read;
    this.#limits = limits;
  }

  async run(): Promise<Crawl> {
    const listed = await this.#listed();
    const { whole: most, sample } = this.#limits;
    const whole = listed.length <= most;
    const step = Math.max(1, listed.length / sample);
    const pending = whole
      ? ["/", ...listed]
      : Array.from({ length: sample }, (_, at) => listed[Math.floor(at * step)] ?? "/");
    const queued = new Set(pending);
    for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
      const { page, path: own } = await this.#answer(path);
      if (page === null || this.#texts.has(own)) continue;
      for (const next of await this.#check(own, page)) {
        if (whole && !queued.has(next) && queued.size < most * 2) {
          queued.add(next);
          pending.push(next);
        }
      }
    }
    return {
      pages: Math.max(listed.length, this.#texts.size),
      crawled: this.#texts.size,
      links: this.#links,
      anchors: this.#anchors,
      images: this.#images,
      dead: this.#dead,
      failed: this.#failed,
      texts: this.#texts,
    };
  }

  /** The addresses in the sitemap. */
  async #listed(): Promise<string[]> {
    const paths: string[] = [];
    const pending = ["/sitemap.xml"];
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      const { body } = await this.#read(path);
      for (const [, address = ""] of body.matchAll(/<loc>([^<]+)<\/loc>/g)) {
        const { pathname } = new URL(address.replaceAll("&amp;", "&"));
        if (pathname.endsWith(".xml")) pending.push(pathname);
        else paths.push(pathname);
      }
    }
    for (const path of paths) this.#known.add(path);
    return [...new Set(paths)].sort();
  }

  /** Checks what a page leads to; resolves with the pages that it links to. */
  async #check(own: string, page: Page): Promise<string[]> {
    this.#texts.set(own, page.text);
    const pages: string[] = [];
    const seen = new Set<string>();
    for (const { href, isText } of page.links) {
      const url = inside(href, own);
      if (url === null) continue;
      const target = url.pathname + url.search;
      const anchor = decode(url.hash.slice(1));
      const key = target + url.hash;
      // A part of the theme is the same on all pages.
      if (!isText && this.#around.has(key)) continue;
      if (!isText) this.#around.add(key);
      const inPage = `${isText ? "text" : "theme"} ${key}`;
      if (seen.has(inPage)) continue;
      seen.add(inPage);
      if (isText) this.#links += 1;
      if (isText && anchor !== "") this.#anchors += 1;
      const status = await this.#statusOf(target, own);
      if (status >= 400) this.#dead.push({ page: own, target: href, kind: "link", status, isText });
      else if (anchor !== "" && !(await this.#hasAnchor(target, anchor, own, page)))
        this.#dead.push({ page: own, target: href, kind: "anchor", status, isText });
      pages.push(target);
    }
    for (const src of new Set(page.images)) {
      const url = inside(src, own);
      if (url === null) continue;
      this.#images += 1;
      const { status } = await this.#answer(url.pathname + url.search);
      if (status >= 400)
        this.#dead.push({ page: own, target: src, kind: "image", status, isText: true });
    }
    return pages;
  }

  async #statusOf(target: string, own: string): Promise<number> {
    if (target === own || (this.#known.has(target) && this.#known.size > this.#limits.whole))
      return 200;
    return (await this.#answer(target)).status;
  }

  async #hasAnchor(target: string, anchor: string, own: string, page: Page): Promise<boolean> {
    if (target === own) return hasId(page, anchor);
    const known = this.#answers.get(target);
    // Of a page that is not read its anchors are not known.
    return known === undefined || known.page === null || hasId(known.page, anchor);
  }

  async #answer(path: string): Promise<{ status: number; page: Page | null; path: string }> {
    const known = this.#answers.get(path);
    if (known !== undefined) return known;
    const { answer, at } = await follow(this.#read, path);
    if (answer.status >= 500) this.#failed.push(path);
    const isPage = answer.status < 400 && answer.type.startsWith("text/html");
    const shared = at === path ? undefined : this.#answers.get(at);
    const result = shared ?? {
      status: answer.status,
      page: isPage ? readPage(answer.body) : null,
      path: at,
    };
    this.#answers.set(path, result);
    this.#answers.set(at, result);
    return result;
  }
}

/** Reads an address and follows its redirects within the site. */
export async function follow(read: Read, path: string): Promise<{ answer: Answer; at: string }> {
  let at = path;
  for (let hop = 0; ; hop += 1) {
    const answer = await read(at);
    const next = answer.location === null ? null : inside(answer.location, at);
    if (answer.location === null || hop === MAX_HOPS) return { answer, at };
    if (next === null) return { answer: { ...answer, status: 200, type: "" }, at };
    at = next.pathname + next.search;
  }
}

/** The address of a link within the site; null for any other link. */
function inside(href: string, from: string): URL | null {
  if (!URL.canParse(href, HOST + from)) return null;
  const url = new URL(href, HOST + from);
  const isHere = url.host === "site.invalid" || url.host === "localhost";
  return isHere && /^https?:$/.test(url.protocol) ? url : null;
}

function hasId(page: Page, anchor: string): boolean {
  return anchor === "top" || anchor.startsWith(":~:") || page.ids.has(anchor);
}

/** Reads the HTML of a page. */
function readPage(html: string): Page {
  const ids = new Set<string>();
  const links: { href: string; isText: boolean }[] = [];
  const images: string[] = [];
  const words: string[] = [];
  const visit = (node: Node, isText: boolean, isShown: boolean): void => {
    if (defaultTreeAdapter.isTextNode(node)) {
      if (isText && isShown) words.push(node.value);
      return;
    }
    if (!("childNodes" in node)) return;
    const element = defaultTreeAdapter.isElementNode(node) ? node : null;
    if (element !== null) readElement(element, isText, { ids, links, images });
    const name = element?.tagName ?? "";
    const inText = name === "main" || (isText && !AROUND.has(name));
    const shown = isShown && !HIDDEN.has(name);
    if (BLOCKS.test(name)) words.push("\n");
    else if (HIDDEN.has(name)) words.push("\u2423");
    for (const child of node.childNodes) visit(child, inText, shown);
    if (BLOCKS.test(name)) words.push("\n");
  };
  visit(parse(html), false, true);
  const text = words
    .join("")
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/\n\s*\n+/g, "\n");
  return { ids, links, images, text };
}

function readElement(
  element: Element,
  isText: boolean,
  into: {
    ids: Set<string>;
    links: { href: string; isText: boolean }[];
    images: string[];
  },
): void {
  const value = (name: string): string | undefined =>
    element.attrs.find((one) => one.name === name)?.value;
  const id = value("id");
  if (id !== undefined) into.ids.add(id);
  if (element.tagName === "a") {
    const name = value("name");
    if (name !== undefined) into.ids.add(name);
    const href = value("href");
    const isPermalink = /\banchor\b/.test(value("class") ?? "");
    if (href !== undefined && !isPermalink) into.links.push({ href, isText });
  }
  const src = value("src");
  if (src !== undefined && /^(?:img|video|audio|source)$/.test(element.tagName))
    into.images.push(src);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
