import type { SiteContext } from "#kernel";
import { parseMoment } from "#lib/dates";
import { SitePath } from "#kernel/internal";
import type { ContentView, PageEntry } from "../content/contract.js";
import type { FeedScope } from "./feed-pages.js";
import { FEED_STYLE_PATH } from "./feed-style.js";
import { absoluteUrl, absoluteUrls, xmlChars, xmlText } from "./xml-text.js";

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
  for (const entry of input.pages) feed.addItem(await item(site, view, { entry, format }));
  const { prefix } = new SitePath(site.settings.site.url);
  if (format === "rss") return styled(feed.rss2(), prefix);
  return format === "atom"
    ? styled(withLanguages(unmask(feed.atom1()), input.pages), prefix)
    : jsonFeed(feed.json1(), channelOf, input.pages);
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
    title: xmlChars(titleOf(scope, title)),
    description: xmlChars(description === "" ? title : description),
    id: base,
    link: base,
    language: scope.lang,
    generator: "Site",
    copyright: "",
    updated: newest === undefined ? new Date(0) : dateOf(newest, site),
    feedLinks: Object.fromEntries(links) as Record<string, string>,
    ...authorOf(author, format === "atom" ? title : ""),
  };
}

/** Atom requires an author (RFC 4287, 4.1.1); defaults to the site. */
function authorOf({ name, email }: { name: string; email: string }, fallback: string) {
  const shown = xmlChars(name === "" ? fallback : name);
  return shown === "" ? {} : { author: { name: shown, ...(email !== "" && { email }) } };
}

/** Converts the library's version 1 output to JSON Feed 1.1. */
function jsonFeed(
  text: string,
  { language }: { language: string },
  pages: readonly PageEntry[],
): string {
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

function titleOf(scope: FeedScope, title: string): string {
  if (scope.kind === "site") return title;
  return `${scope.kind === "section" ? scope.entry.title : scope.value} – ${title}`;
}

async function item(
  site: SiteContext,
  view: ContentView,
  { entry, format }: { entry: PageEntry; format: FeedFormat },
) {
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
  const date = dateOf(entry, site);
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

/** As the library writes titles: HTML in Atom, text in a CDATA section in RSS, text in JSON. */
function itemTitle(title: string, format: FeedFormat): string {
  if (format === "atom") return escapeHtml(xmlChars(title));
  return format === "rss" ? xmlText(title) : xmlChars(title);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The time of a page; a date without time means the start of the day in the time zone of the site. */
function dateOf({ date, moment }: PageEntry, { settings }: SiteContext): Date {
  return new Date(moment ?? parseMoment(date, settings.system.timezone) ?? 0);
}
