import { type SiteContext, SitePath } from "#kernel";
import { parseMoment } from "#lib/dates";
import { canParseUrl } from "#lib/urls";
import type { ContentView, PageEntry } from "../content/contract.js";

/** Feed formats. */
export type FeedFormat = "rss" | "atom" | "json";

/** File name and content type of each format. */
export const FEED_FORMATS: Readonly<Record<FeedFormat, { file: string; type: string }>> = {
  rss: { file: "feed.xml", type: "application/rss+xml; charset=utf-8" },
  atom: { file: "atom.xml", type: "application/atom+xml; charset=utf-8" },
  json: { file: "feed.json", type: "application/feed+json; charset=utf-8" },
};

/** Input of a feed. */
export interface FeedInput {
  scope: FeedScope;
  /** Path of the scope, without trailing slash; empty for the whole site. */
  path: string;
  pages: readonly PageEntry[];
  format: FeedFormat;
}

/** Generates a feed that is valid by its schema whatever titles and bodies contain. */
export async function feedDocument(
  site: SiteContext,
  view: ContentView,
  input: FeedInput,
): Promise<string> {
  const { Feed } = await import("feed");
  const { format } = input;
  const channelOf = channel(site, input);
  const feed = new Feed(channelOf);
  for (const entry of input.pages) feed.addItem(await item(site, view, entry, format));
  const { prefix } = new SitePath(site.settings.site.url);
  if (format === "rss") return styled(feed.rss2(), prefix);
  return format === "atom"
    ? styled(withLanguages(unmask(feed.atom1()), input.pages), prefix)
    : jsonFeed(feed.json1(), channelOf.language, input.pages);
}

/** Names the style sheet that makes a feed readable in a browser. `prefix`: the path of `url`. */
function styled(document: string, prefix: string): string {
  const href = prefix + FEED_STYLE_PATH;
  return document.replace("?>", () => `?>\n<?xml-stylesheet type="text/css" href="${href}"?>`);
}

function channel(site: SiteContext, { scope, path, pages, format }: FeedInput) {
  const { title, description, url, author } = site.settings.site;
  const base = absoluteUrl(url, path === "" ? "/" : path);
  const links = Object.entries(FEED_FORMATS).map(([format, { file }]) => [
    format,
    absoluteUrl(url, `${path}/${file}`),
  ]);
  const [newest] = pages;
  return {
    title: xmlChars(feedTitle(scope, title)),
    description: xmlChars(description === "" ? title : description),
    id: base,
    link: base,
    language: scope.lang,
    generator: "Site",
    copyright: "",
    updated: newest === undefined ? new Date(0) : itemDate(newest, site),
    feedLinks: Object.fromEntries(links) as Record<string, string>,
    ...toAuthor(author.name, author.email, format === "atom" ? title : ""),
  };
}

/** Atom requires an author (RFC 4287, 4.1.1); defaults to the site. */
function toAuthor(name: string, email: string, fallback: string) {
  const shown = xmlChars(name === "" ? fallback : name);
  return shown === "" ? {} : { author: { name: shown, ...(email !== "" && { email }) } };
}

/** Converts the library's version 1 output to JSON Feed 1.1. */
function jsonFeed(text: string, language: string, pages: readonly PageEntry[]): string {
  const { version: _version, author, items, ...feed } = toObject(JSON.parse(text));
  return JSON.stringify(
    {
      version: "https://jsonfeed.org/version/1.1",
      ...feed,
      language,
      ...(author !== undefined && { authors: [author] }),
      items: (Array.isArray(items) ? items : []).map((one, at) => {
        const page = pages[at];
        return page?.standsInFor === undefined ? one : { ...toObject(one), language: page.lang };
      }),
    },
    null,
    2,
  );
}

/**
 * Marks entries in another language than their feed (RFC 4287, 2); the library does not support it.
 */
function withLanguages(document: string, pages: readonly PageEntry[]): string {
  let at = 0;
  return document.replace(/<entry>/g, (tag) => {
    const page = pages[at++];
    return page?.standsInFor === undefined ? tag : `<entry xml:lang="${page.lang}">`;
  });
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Placeholder for `<` in attributes, which the library does not escape. */
const MASK = "\ue000";

function masked(text: string): string {
  return text.replaceAll(MASK, "").replaceAll("<", MASK);
}

function unmask(document: string): string {
  return document.replaceAll(MASK, "&lt;");
}

function feedTitle(scope: FeedScope, title: string): string {
  if (scope.kind === "site") return title;
  return `${scope.kind === "section" ? scope.entry.title : scope.value} – ${title}`;
}

async function item(site: SiteContext, view: ContentView, entry: PageEntry, format: FeedFormat) {
  const { url } = site.settings.site;
  const link = absoluteUrl(url, entry.url);
  const page = await view.load(entry);
  const markdown = site.use("markdown");
  const isFull = site.settings.site.feed.content === "full";
  const content = isFull
    ? {
        content: xmlText(
          absoluteUrls(markdown.forReaders((await markdown.render(page)).html), url, link),
        ),
      }
    : {};
  const tags = Object.values(entry.taxonomy).flat().map(xmlChars);
  const name = (tag: string): string => (format === "atom" ? masked(tag) : tag);
  const date = itemDate(entry, site);
  const excerpt = xmlChars(markdown.excerpt(page));
  // The summary of a JSON feed is text; all other excerpts are HTML.
  const isText = format === "json" && isFull;
  return {
    title: itemTitle(entry.title, format),
    id: link,
    link,
    date,
    published: date,
    description: isText ? excerpt : escapeHtml(excerpt),
    category: tags.map((tag) => ({ name: name(tag), term: name(tag) })),
    ...content,
  };
}

/** Follows the library, which writes titles as HTML in Atom, a CDATA section in RSS and text in JSON. */
function itemTitle(title: string, format: FeedFormat): string {
  if (format === "atom") return escapeHtml(xmlChars(title));
  return format === "rss" ? xmlText(title) : xmlChars(title);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The time of a page; a date without time means the start of the day in the time zone of the site. */
function itemDate({ date, moment }: PageEntry, { settings }: SiteContext): Date {
  return new Date(moment ?? parseMoment(date, settings.system.timezone) ?? 0);
}

/** The language requested in the query string. */
export interface ListLanguage {
  lang?: string | undefined;
  fallback: boolean;
}

/**
 * The scope of a feed: the whole site, a section, or the pages with a taxonomy value; in one
 * language.
 */
type FeedScope = { lang: string; fallback?: boolean } & (
  | { kind: "site" }
  | { kind: "section"; entry: PageEntry }
  | { kind: "taxonomy"; name: string; value: string }
);

/** The languages of a site. */
interface FeedLanguages {
  readonly supported: readonly string[];
  /** The default one. */
  readonly main: string;
  /** The route prefix of a language; may be empty. */
  prefixOf(lang: string): string;
}

/** The newest dated pages of a scope that the visitor may see, at most `limit`. */
export function feedPages(view: ContentView, scope: FeedScope, limit: number): PageEntry[] {
  const isDated = ({ date, routable }: PageEntry): boolean => date !== null && routable;
  return newestFirst(view, scope).filter(isDated).slice(0, limit);
}

/** The pages of a scope, newest first; pages of the same day by route. */
function newestFirst(view: ContentView, scope: FeedScope): readonly PageEntry[] {
  const { lang, fallback = false } = scope;
  if (scope.kind === "taxonomy")
    return view.taxonomyPages(scope.name, scope.value, { lang, fallback });
  const order = { by: "date", dir: "desc" } as const;
  const all = view.list({ lang, fallback, order, offset: 0, limit: 1_000_000 }).items;
  if (scope.kind === "site") return all;
  const below = scope.entry.route === "/" ? "/" : `${scope.entry.route}/`;
  return all.filter(({ route }) => route.startsWith(below));
}

/** Parses the scope of a feed request; null for any other path. */
export function parseScope(
  view: ContentView,
  path: string,
  languages: FeedLanguages,
): FeedScope | null {
  const { lang, rest } = splitLanguage(path, languages);
  if (rest === "") return { kind: "site", lang };
  const [, name, value] = /^\/taxonomy\/([^/]+)\/(.+)$/.exec(rest) ?? [];
  if (name !== undefined && value !== undefined) {
    const hasPages = view.taxonomyPages(name, value, lang).length > 0;
    return hasPages ? { kind: "taxonomy", name, value, lang } : null;
  }
  const match = view.resolve(path);
  return match.kind === "page" ? { kind: "section", entry: match.entry, lang } : null;
}

/** Feeds of the default language have no prefix, whether or not its pages do. */
function splitLanguage(
  path: string,
  { supported, main, prefixOf }: FeedLanguages,
): { lang: string; rest: string } {
  const first = path.split("/", 2)[1] ?? "";
  const isPrefix = supported.includes(first) && prefixOf(first) !== "";
  return isPrefix
    ? { lang: first, rest: path.slice(first.length + 1) }
    : { lang: main, rest: path };
}

/** Address of the style sheet of feeds. */
export const FEED_STYLE_PATH = "/_site/feed.css";

/**
 * Shows a feed as a page. CSS, not XSLT: browsers remove XSLT, and no policy has to allow it. Addresses
 * are text, because CSS cannot make links.
 */
export const FEED_STYLE = `:root{color-scheme:light dark;background:light-dark(#fdfcf9,#131417);color:light-dark(#1c1b19,#eceae4);font:1.05rem/1.6 system-ui,sans-serif}
rss,feed{display:block;max-width:44rem;margin:0 auto;padding:clamp(1.5rem,6vh,4rem) 1.25rem}
rss::before,feed::before{content:"RSS  ·  Atom";display:block;width:fit-content;margin-bottom:1.5rem;padding:.3rem .9rem;border-radius:2rem;background:light-dark(#e4f1ec,#18302a);color:light-dark(#07503f,#8ae3c8);font-size:.85rem;font-weight:600}
channel{display:block}
channel>title,feed>title{display:block;font-size:clamp(1.8rem,5vw,2.6rem);font-weight:700;line-height:1.15;letter-spacing:-.03em}
channel>description,feed>subtitle{display:block;margin:.6rem 0 2.5rem;color:light-dark(#5f5b53,#a9a69e)}
channel>*,feed>*,item>*,entry>*{display:none}
item,entry{display:block;padding:1.3rem 0;border-top:1px solid light-dark(#e3dfd5,#303238)}
item>title,entry>title{display:block;font-size:1.2rem;font-weight:650;line-height:1.3}
item>link{display:block;color:light-dark(#0b6b57,#62d2b1);font-size:.9rem;overflow-wrap:anywhere}
entry>id{display:block;color:light-dark(#0b6b57,#62d2b1);font-size:.9rem;overflow-wrap:anywhere}
item>pubDate,entry>published{display:block;color:light-dark(#5f5b53,#a9a69e);font-size:.85rem}
item>description,entry>summary{display:block;margin-top:.4rem;overflow-wrap:anywhere}
`;

// oxlint-disable-next-line no-control-regex -- XML 1.0 has no way to write them
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const HALF_PAIR = /\p{Surrogate}/gu;

/** Removes characters that XML cannot contain: control characters and lone surrogates. */
export function xmlChars(text: string): string {
  return text.replace(HALF_PAIR, "\ufffd").replace(NOT_XML, "");
}

/** Text for a CDATA section; escapes the end marker. */
export function xmlText(text: string): string {
  return xmlChars(text).replaceAll("]]>", "]]&gt;");
}

/** Converts a path of the site to an absolute URL, escaping it where necessary. */
export function absoluteUrl(base: string, path: string): string {
  return new URL(belowBase(base, path), `${base}/`).href;
}

/** Prefixes a root-relative path with the path of the site's base URL. */
function belowBase(base: string, path: string): string {
  return /^\/(?!\/)/.test(path) ? base.replace(/(?<!\/)\/+$/, "") + path : path;
}

/**
 * Makes links and images in HTML absolute: relative to the root of `site`, or to `page` (both
 * absolute).
 */
export function absoluteUrls(html: string, site: string, page: string = site): string {
  return html
    .replace(/(\s(?:href|src)=")([^"]*)"/g, (all, start: string, target: string) => {
      const address = belowBase(site, target);
      return canParseUrl(address, page) ? `${start}${new URL(address, page).href}"` : all;
    })
    .replace(/\ssrcset="[^"]*"/g, "");
}
