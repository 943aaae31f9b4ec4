/** The start of a WXR file: the site, its authors and terms. */
import { escapeHtml, type SiteContext } from "#kernel";
import { slugOf } from "../../plan/safe-name.js";
import { domainOf, loginOf, type PlannedPost } from "./wxr-plan.js";
import { cdata, element, xmlText } from "./xml.js";

/** Everything before the first item. */
export function wxrHead(
  { settings }: SiteContext,
  { base, posts }: { base: string; posts: readonly PlannedPost[] },
): string {
  const { title, description } = settings.site;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>${cdata(escapeHtml(title))}</title>
<link>${xmlText(base)}</link>
<description>${cdata(escapeHtml(description ?? ""))}</description>
<language>${xmlText(settings.system.languages.default)}</language>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>${xmlText(base)}</wp:base_site_url>
<wp:base_blog_url>${xmlText(base)}</wp:base_blog_url>
${authors(posts)}${terms(posts)}`;
}

function authors(posts: readonly PlannedPost[]): string {
  const names = new Set(posts.map(({ author }) => author).filter((name) => name !== ""));
  const logins = new Map([...names].map((name) => [loginOf(name), name]));
  return [...logins]
    .map(
      ([login, name]) =>
        `<wp:author>${element("wp:author_login", login)}${element("wp:author_display_name", name)}</wp:author>\n`,
    )
    .join("");
}

function terms(posts: readonly PlannedPost[]): string {
  const lines = new Set<string>();
  for (const { entry } of posts) {
    for (const [taxonomy, values] of Object.entries(entry.taxonomy))
      for (const value of values) lines.add(term(taxonomy, value));
  }
  return [...lines].join("");
}

function term(taxonomy: string, value: string): string {
  const name = escapeHtml(value);
  const slug = slugOf(value);
  if (taxonomy === "category")
    return `<wp:category>${element("wp:category_nicename", slug)}${element("wp:cat_name", name)}</wp:category>\n`;
  if (taxonomy === "tag")
    return `<wp:tag>${element("wp:tag_slug", slug)}${element("wp:tag_name", name)}</wp:tag>\n`;
  return `<wp:term>${element("wp:term_taxonomy", domainOf(taxonomy))}${element("wp:term_slug", slug)}${element("wp:term_name", name)}</wp:term>\n`;
}
