import type { SiteContext } from "#kernel";
import { FEED_STYLE, FEED_STYLE_PATH } from "./feed-document.js";
import { feedsHandler, markShownFeed } from "./routes.js";

/** Registers what the plugin does in a site that starts. */
export function setUpFeeds(site: SiteContext): void {
  site.http.edge("answer", markShownFeed);
  // Before pages and their media, so that neither can replace a feed, the sitemap or robots.txt.
  site.http.use("routes", feedsHandler(site));
  site.http.route({
    method: "get",
    path: FEED_STYLE_PATH,
    summary: "The look of feeds in a browser",
    hidden: true,
    handler: (req, res) =>
      site.http.send(req, res, {
        type: "text/css; charset=utf-8",
        body: FEED_STYLE,
        headers: { "Cache-Control": "public, max-age=3600, must-revalidate" },
        cache: { tags: new Set(["config"]) },
      }),
  });
  if (!site.settings.site.feed.enabled) return;
  const { supported } = site.settings.system.languages;
  const links = new Map(supported.map((lang) => [lang, headLinks(site, lang)]));
  site.extensions.add("pageHead", (req) => links.get(req.ctx.lang) ?? "");
}

const FORMATS = [
  ["application/rss+xml", "/feed.xml"],
  ["application/atom+xml", "/atom.xml"],
  ["application/feed+json", "/feed.json"],
] as const;

/** `<link>` elements for the feeds of a language. */
function headLinks({ settings, use }: SiteContext, lang: string): string {
  const root = use("content").addresses.rootOf(lang);
  const title = escapeAttribute(settings.site.title);
  return FORMATS.map(
    ([type, file]) =>
      `<link rel="alternate" type="${type}" title="${title}" href="${root}${file}">`,
  ).join("");
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
