/** Pages as posts of a WXR file: their numbers and parents, and the XML of posts and files. */
import { posix } from "node:path";
import { escapeHtml, type SiteContext } from "#kernel";
import type { MediaItem, PageEntry } from "../../content/contract.js";
import { slugOf } from "../plan/safe-name.js";

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?/;

/** The fields of an item that do not follow from the front matter of its page. */
interface PostFields {
  /** Address of the page. */
  readonly link: string;
  readonly content: string;
  readonly status: string;
  /** Id of the attachment that is its image; null without one. */
  readonly image: number | null;
}

/** Everything of a page. */
export function postItem(post: PlannedPost, fields: PostFields): string {
  const { id, entry, type, parent, slug, author } = post;
  const { frontmatter, title, order } = entry;
  const date = dateOf(entry, fields.status);
  return `<item>
<title>${cdata(escapeHtml(title))}</title>
<link>${xmlText(fields.link)}</link>
<guid isPermaLink="false">${xmlText(fields.link)}</guid>
${pubDate(date)}${author === "" ? "" : element("dc:creator", loginOf(author))}<content:encoded>${cdata(fields.content)}</content:encoded>
${element("excerpt:encoded", escapeHtml(textOf(frontmatter["summary"])))}<wp:post_id>${id}</wp:post_id>
${element("wp:post_date", date)}<wp:comment_status>closed</wp:comment_status>
<wp:post_name>${cdata(slug)}</wp:post_name>
<wp:status>${fields.status}</wp:status>
<wp:post_parent>${parent}</wp:post_parent>
<wp:menu_order>${Math.max(0, Math.floor(order))}</wp:menu_order>
<wp:post_type>${type}</wp:post_type>
<wp:is_sticky>${isSticky(entry) ? 1 : 0}</wp:is_sticky>
${categories(entry)}${meta("_yoast_wpseo_metadesc", descriptionOf(entry))}${meta("_thumbnail_id", fields.image === null ? "" : String(fields.image))}</item>
`;
}

/** The fields of an attachment that its file does not have. */
interface AttachmentFields {
  readonly id: number;
  /** Id of the post that shows the file. */
  readonly parent: number;
  /** Absolute. */
  readonly url: string;
}

/** A file of a page. */
export function attachmentItem(
  { name, meta: known }: MediaItem,
  { id, parent, url }: AttachmentFields,
): string {
  return `<item>
<title>${cdata(escapeHtml(name))}</title>
<link>${xmlText(url)}</link>
<guid isPermaLink="false">${xmlText(url)}</guid>
<content:encoded></content:encoded>
${element("excerpt:encoded", escapeHtml(textOf(known["title"])))}<wp:post_id>${id}</wp:post_id>
<wp:post_name>${cdata(slugOf(name))}</wp:post_name>
<wp:status>inherit</wp:status>
<wp:post_parent>${parent}</wp:post_parent>
<wp:post_type>attachment</wp:post_type>
<wp:attachment_url>${xmlText(url)}</wp:attachment_url>
${meta("_wp_attachment_image_alt", textOf(known["alt"]))}</item>
`;
}

/** `2020-05-01 08:30:00` as written in the file; of a scheduled page when it appears. */
function dateOf({ date, frontmatter }: PageEntry, status: string): string {
  const given = status === "future" ? frontmatter["publish_date"] : frontmatter["date"];
  const [, day = date ?? "", time = "00:00"] = MOMENT.exec(textOf(given)) ?? [];
  return day === "" ? "" : `${day} ${time}:00`;
}

function pubDate(date: string): string {
  const time = Date.parse(`${date.replace(" ", "T")}Z`);
  return Number.isNaN(time) ? "" : `<pubDate>${new Date(time).toUTCString()}</pubDate>\n`;
}

function categories({ taxonomy }: PageEntry): string {
  return Object.entries(taxonomy)
    .flatMap(([name, values]) =>
      values.map(
        (value) =>
          `<category domain="${xmlText(domainOf(name))}" nicename="${xmlText(slugOf(value))}">${cdata(escapeHtml(value))}</category>\n`,
      ),
    )
    .join("");
}

function meta(key: string, value: string): string {
  if (value === "") return "";
  return `<wp:postmeta>${element("wp:meta_key", key)}${element("wp:meta_value", value)}</wp:postmeta>\n`;
}

function descriptionOf({ frontmatter }: PageEntry): string {
  const { metadata } = frontmatter;
  return typeof metadata === "object" && metadata !== null && "description" in metadata
    ? textOf(metadata.description)
    : "";
}

function isSticky({ frontmatter: { custom } }: PageEntry): boolean {
  return typeof custom === "object" && custom !== null && "sticky" in custom && !!custom.sticky;
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" ? value : "";
}

// Text that is safe in XML.

/** Characters that XML 1.0 does not allow, and halves of surrogate pairs. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/** A CDATA section. */
function cdata(text: string): string {
  return `<![CDATA[${allowed(text).replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

/** Text or attribute value of XML. */
function xmlText(text: string): string {
  return escapeHtml(allowed(text));
}

/** An element with a text; empty for an empty one. */
function element(name: string, text: string | number | null): string {
  if (text === null || text === "") return "";
  return `<${name}>${typeof text === "number" ? text : cdata(text)}</${name}>\n`;
}

function allowed(text: string): string {
  return text.replaceAll(FORBIDDEN, "");
}

/** A page as a post. */
export interface PlannedPost {
  readonly id: number;
  readonly entry: PageEntry;
  readonly type: "post" | "page";
  /** Id of the page above; 0 at the top. */
  readonly parent: number;
  /** Address below the parent, percent-encoded. */
  readonly slug: string;
  /** Names of authors; empty for none. */
  readonly author: string;
}

/** Plans all posts. WordPress lists posts by date below one address, so only `/blog/…` has them. */
export function planPosts(pages: readonly PageEntry[]): readonly PlannedPost[] {
  const ids = new Map<string, number>();
  for (const [at, entry] of pages.entries()) if (!isPost(entry)) ids.set(entry.route, at + 1);
  return pages.map((entry, at) => {
    const above = isPost(entry) ? "/blog" : aboveOf(entry.route, ids);
    const rest = entry.route.slice(above === "/" ? 1 : above.length + 1);
    return {
      id: at + 1,
      entry,
      type: isPost(entry) ? "post" : "page",
      author: authorOf(entry),
      parent: isPost(entry) || above === "/" ? 0 : (ids.get(above) ?? 0),
      slug: encodeURIComponent(rest === "" ? "home" : rest),
    };
  });
}

function isPost({ route, template, date }: PageEntry): boolean {
  return /^\/blog\/[^/]+$/.test(route) && (template === "post" || date !== null);
}

/** The nearest page above. */
function aboveOf(route: string, ids: ReadonlyMap<string, number>): string {
  let above = posix.dirname(route);
  while (above !== "/" && !ids.has(above)) above = posix.dirname(above);
  return above;
}

function authorOf({ frontmatter }: PageEntry): string {
  const { author } = frontmatter;
  const names: unknown[] = Array.isArray(author) ? author : [author];
  return names.filter((name): name is string => typeof name === "string").join(", ");
}

/** The login of an author: a name for a reference within the file. */
function loginOf(author: string): string {
  return slugOf(author);
}

/** WordPress' name of a taxonomy. */
function domainOf(taxonomy: string): string {
  return taxonomy === "tag" ? "post_tag" : taxonomy;
}

/** Everything before the first item: the site, its authors and terms. `base` is the address of the site. */
export function wxrHead(
  { settings }: SiteContext,
  base: string,
  posts: readonly PlannedPost[],
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
