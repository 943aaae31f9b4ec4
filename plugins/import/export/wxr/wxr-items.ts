/** Pages and files as items of WXR. */
import { escapeHtml } from "#kernel";
import type { MediaItem, PageEntry } from "../../../content/contract.js";
import { slugOf } from "../../plan/safe-name.js";
import { domainOf, loginOf, type PlannedPost } from "./wxr-plan.js";
import { cdata, element, xmlText } from "./xml.js";

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?/;

/** What an item of a page has besides its front matter. */
export interface PostParts {
  /** Address of the page. */
  readonly link: string;
  readonly content: string;
  readonly status: string;
  /** Id of the attachment that is its image; null without one. */
  readonly image: number | null;
}

/** Everything of a page. */
export function postItem(post: PlannedPost, parts: PostParts): string {
  const { id, entry, type, parent, slug, author } = post;
  const { frontmatter, title, order } = entry;
  const date = dateOf(entry, parts.status);
  return `<item>
<title>${cdata(escapeHtml(title))}</title>
<link>${xmlText(parts.link)}</link>
<guid isPermaLink="false">${xmlText(parts.link)}</guid>
${pubDate(date)}${author === "" ? "" : element("dc:creator", loginOf(author))}<content:encoded>${cdata(parts.content)}</content:encoded>
${element("excerpt:encoded", escapeHtml(textOf(frontmatter["summary"])))}<wp:post_id>${id}</wp:post_id>
${element("wp:post_date", date)}<wp:comment_status>closed</wp:comment_status>
<wp:post_name>${cdata(slug)}</wp:post_name>
<wp:status>${parts.status}</wp:status>
<wp:post_parent>${parent}</wp:post_parent>
<wp:menu_order>${Math.max(0, Math.floor(order))}</wp:menu_order>
<wp:post_type>${type}</wp:post_type>
<wp:is_sticky>${isSticky(entry) ? 1 : 0}</wp:is_sticky>
${categories(entry)}${meta("_yoast_wpseo_metadesc", descriptionOf(entry))}${meta("_thumbnail_id", parts.image === null ? "" : String(parts.image))}</item>
`;
}

/** A file of a page; `url` is absolute. */
export function attachmentItem(
  { name, meta: known }: MediaItem,
  { id, parent, url }: { id: number; parent: number; url: string },
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
