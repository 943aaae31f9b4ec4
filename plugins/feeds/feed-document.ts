import type { SiteContext } from "#kernel";
import type { ContentView, PageEntry } from "../content/contract.js";
import type { FeedScope } from "./feed-pages.js";
import { absoluteUrl, absoluteUrls, xmlText } from "./xml-text.js";

/** The formats of a feed. */
export type FeedFormat = "rss" | "atom" | "json";

/** File name and content type of each format. */
export const FEED_FORMATS: Readonly<Record<FeedFormat, { file: string; type: string }>> = {
  rss: { file: "feed.xml", type: "application/rss+xml; charset=utf-8" },
  atom: { file: "atom.xml", type: "application/atom+xml; charset=utf-8" },
  json: { file: "feed.json", type: "application/feed+json; charset=utf-8" },
};

/** What a feed is made of. */
export interface FeedInput {
  scope: FeedScope;
  /** Path of the scope, without slash at the end: empty for the whole site. */
  path: string;
  pages: readonly PageEntry[];
  format: FeedFormat;
}

/** A feed as text; valid by its schema whatever titles and bodies hold. */
export async function feedDocument(
  site: SiteContext,
  view: ContentView,
  input: FeedInput,
): Promise<string> {
  const { Feed } = await import("feed");
  const feed = new Feed(channel(site, input));
  for (const entry of input.pages) feed.addItem(await item(site, view, entry));
  if (input.format === "rss") return feed.rss2();
  return input.format === "atom" ? feed.atom1() : feed.json1();
}

function channel(site: SiteContext, { scope, path, pages }: FeedInput) {
  const { title, description, url, author } = site.settings.site;
  const language = site.settings.system.languages.default;
  const base = absoluteUrl(url, path === "" ? "/" : path);
  const links = Object.entries(FEED_FORMATS).map(([format, { file }]) => [
    format,
    absoluteUrl(url, `${path}/${file}`),
  ]);
  const newest = pages[0]?.date;
  return {
    title: xmlText(titleOf(scope, title)),
    description: xmlText(description === "" ? title : description),
    id: base,
    link: base,
    language,
    generator: "Site",
    copyright: "",
    updated: newest ? dateOf(newest) : new Date(0),
    feedLinks: Object.fromEntries(links) as Record<string, string>,
    ...(author.name !== "" && { author: { name: xmlText(author.name), email: author.email } }),
  };
}

function titleOf(scope: FeedScope, title: string): string {
  if (scope.kind === "site") return title;
  return `${scope.kind === "section" ? scope.entry.title : scope.value} – ${title}`;
}

async function item(site: SiteContext, view: ContentView, entry: PageEntry) {
  const { url } = site.settings.site;
  const link = absoluteUrl(url, entry.url);
  const page = await view.load(entry);
  const markdown = site.use("markdown");
  const isFull = site.settings.site.feed.content === "full";
  const content = isFull
    ? { content: xmlText(absoluteUrls((await markdown.render(page)).html, link)) }
    : {};
  const tags = Object.values(entry.taxonomy).flat();
  return {
    title: xmlText(entry.title),
    id: link,
    link,
    date: dateOf(entry.date ?? ""),
    description: xmlText(markdown.excerpt(page)),
    category: tags.map((name) => ({ name: xmlText(name) })),
    ...content,
  };
}

function dateOf(day: string): Date {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}
