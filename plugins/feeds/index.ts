/**
 * RSS, Atom and JSON feeds of the site, its sections and its taxonomy values; the sitemap; robots.txt.
 * Uses: content, markdown, render.
 */
import { definePlugin, type SiteContext } from "#kernel";
import { feedsHandler } from "./routes.js";
import { settings } from "./settings.js";

const FORMATS = [
  ["application/rss+xml", "/feed.xml"],
  ["application/atom+xml", "/atom.xml"],
  ["application/feed+json", "/feed.json"],
] as const;

export default definePlugin({
  name: "feeds",
  version: "1.0.0",
  requires: ["content", "markdown"],
  after: ["render", "media"],
  settings,
  setup(site) {
    // Before pages and their media, so that neither can replace a feed, the sitemap or robots.txt.
    site.http.use("routes", feedsHandler(site));
    if (!site.settings.site.feed.enabled) return;
    const { supported } = site.settings.system.languages;
    const links = new Map(supported.map((lang) => [lang, headLinks(site, lang)]));
    site.use("render", { optional: true })?.addHead((req) => links.get(req.ctx.lang) ?? "");
  },
});

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
