/**
 * RSS, Atom and JSON feeds of the site, its sections and its taxonomy values; the sitemap; robots.txt.
 * Uses: content, markdown, render.
 */
import { definePlugin } from "#kernel";
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
  after: ["render"],
  settings,
  setup(site) {
    site.http.use("pages", feedsHandler(site));
    const { feed, title } = site.settings.site;
    if (!feed.enabled) return;
    const links = FORMATS.map(
      ([type, href]) =>
        `<link rel="alternate" type="${type}" title="${escapeAttribute(title)}" href="${href}">`,
    ).join("");
    site.find("render")?.addHead(() => links);
  },
});

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
