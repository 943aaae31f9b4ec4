/** WordPress: the file of Tools → Export (WXR). */
import { basename, posix } from "node:path";
import { withoutTags } from "#lib/text";
import type {
  ImportItem,
  ImportSource,
  Origin,
  SourceInput,
  ImportedMedia,
  ImportedPage,
} from "../../contract.js";
import { idKey, decoded } from "../../plan/address-key.js";
import { slugOf } from "../../plan/safe-name.js";
import { readChannel, toItem, type WxrItem, decodeEntities } from "./read-wxr.js";
import { WordpressSite } from "./wordpress-site.js";
import { hasBlocks, withoutBlocks, withParagraphs, expandShortcodes } from "./post-html.js";

/** Types of items that describe the old theme and its editor. */
const INTERNAL: ReadonlySet<string> = new Set([
  "nav_menu_item",
  "revision",
  "custom_css",
  "customize_changeset",
  "oembed_cache",
  "wp_global_styles",
  "wp_navigation",
  "wp_template",
  "wp_template_part",
  "user_request",
]);

/** The source `wordpress`. */
export const wordpress: ImportSource = {
  summary: "the XML file of Tools → Export",
  items,
};

async function* items({ path }: SourceInput): AsyncGenerator<ImportItem> {
  const site = await WordpressSite.read(path);
  const file = basename(path);
  yield { kind: "site", hosts: site.hosts };
  for (const reason of site.notes) yield { kind: "notImported", origin: { file }, reason };
  for await (const element of readChannel(path)) {
    if (element.name === "item") yield* itemsOf(toItem(element), site, file);
  }
}

function* itemsOf(item: WxrItem, site: WordpressSite, file: string): Generator<ImportItem> {
  const origin = { file, line: item.line };
  const issue = issueOf(item);
  if (issue === "") return;
  if (issue !== null) yield { kind: "notImported", origin, reason: `${labelOf(item)}: ${issue}` };
  else if (item.type === "attachment") {
    const media = toAttachment(item, origin);
    if (media === null) {
      yield { kind: "notImported", origin, reason: `${labelOf(item)}: it has no address` };
    } else {
      yield media;
      yield* numberedAddress(item, origin);
    }
  } else {
    yield toPage(item, origin, site);
    if (item.status === "publish" && !item.hasPassword) yield* numberedAddress(item, origin);
    if (item.comments > 0) {
      const reason = `${labelOf(item)}: ${item.comments} comments`;
      yield { kind: "notImported", origin, reason };
    }
  }
}

/** The address of a public item on a site with plain permalinks: `/?p=12`. */
function* numberedAddress({ link, id }: WxrItem, origin: Origin): Generator<ImportItem> {
  if (URL.canParse(link) && /[?&](?:p|page_id|attachment_id)=\d/.test(link))
    yield { kind: "redirect", origin, from: link, to: idKey(id) };
}

/** Says why an item stays behind; empty for one that needs no report. */
function issueOf({ type, status }: WxrItem): string | null {
  if (INTERNAL.has(type))
    return type === "nav_menu_item" ? "" : `items of type ${type} belong to the old theme`;
  if (status === "trash" || status === "auto-draft") return `its status is ${status}`;
  return null;
}

function labelOf({ type, title, id }: WxrItem): string {
  return `${type} ${JSON.stringify(title || id)}`;
}

const MAX_SUMMARY = 500;
/** Descriptions for search engines, as plugins store them. */
const DESCRIPTIONS = ["_yoast_wpseo_metadesc", "_aioseop_description", "rank_math_description"];

/** A post or page. Posts go below `/blog`, other types below their name. */
function toPage(item: WxrItem, origin: Origin, site: WordpressSite): ImportedPage {
  const isPage = item.type === "page";
  const { html, kept } = expandShortcodes(withoutBlocks(item.content), site.imagesOf(item.id));
  const notes = kept.map((name) => `shortcode [${name}] stays as text`);
  if (item.hasPassword) notes.push("it has a password: it is a draft now");
  if (item.status === "private") notes.push("it is private: it is unpublished now");
  const route = routeOf(item, site);
  return {
    kind: "page",
    origin,
    notes,
    base: { url: item.link || null, file: null },
    route,
    template: route === "/blog" ? "blog" : isPage ? "default" : "post",
    position: isPage ? positionOf(item, site) : null,
    frontmatter: matterOf(item, site),
    image: imageOf(item, site),
    body: { format: "html", text: hasBlocks(item.content) ? html : withParagraphs(html) },
    addresses: [item.link, idKey(item.id)].filter((one) => one !== ""),
  };
}

/** An attachment; null without an address. */
function toAttachment(item: WxrItem, origin: Origin): ImportedMedia | null {
  const url = item.attachmentUrl || item.guid;
  if (!URL.canParse(url) || !/^https?:/.test(url)) return null;
  const { pathname } = new URL(url);
  const month = /\/(\d{4})\/(\d{2})\/[^/]+$/.exec(pathname);
  const meta = {
    alt: item.meta.get("_wp_attachment_image_alt") ?? "",
    title: item.excerpt.length <= MAX_SUMMARY ? item.excerpt : "",
  };
  return {
    kind: "media",
    origin,
    name: decoded(posix.basename(pathname)),
    from: { url },
    folder: month === null ? "media" : `media/${month[1]}/${month[2]}`,
    owner: item.parent === "" || item.parent === "0" ? null : idKey(item.parent),
    addresses: [url, item.link, idKey(item.id)].filter((one) => one !== ""),
    meta: Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== "")),
  };
}

function routeOf(item: WxrItem, site: WordpressSite): string {
  const own = decoded(item.slug) || slugOf(item.title || `${item.type}-${item.id}`);
  if (item.type === "page" && isFrontPage(item)) return "/";
  if (item.type === "page") return `/${[...site.slugsAbove(item.parent), own].join("/")}`;
  return `/${item.type === "post" ? "blog" : item.type}/${own}`;
}

/** True for the page at the address of the site itself. */
function isFrontPage({ link }: WxrItem): boolean {
  if (!URL.canParse(link)) return false;
  const { pathname, search } = new URL(link);
  return pathname === "/" && search === "";
}

/** A page of a menu has its place there; without menus, pages at the top have their order. */
function positionOf({ id, parent, menuOrder }: WxrItem, site: WordpressSite): number | null {
  const position = site.menuPosition(id);
  if (position !== null) return position;
  return parent !== "0" && parent !== "" && menuOrder > 0 ? menuOrder : null;
}

function imageOf({ meta }: WxrItem, site: WordpressSite): string | null {
  const id = meta.get("_thumbnail_id");
  return id === undefined || site.fileUrl(id) === null ? null : idKey(id);
}

/** Empty values are left out later. */
function matterOf(item: WxrItem, site: WordpressSite): Record<string, unknown> {
  const isPage = item.type === "page";
  const date = dateOf(item);
  return {
    title: item.title || item.slug || `${item.type} ${item.id}`,
    date: isPage ? null : date,
    ...statusOf(item, date),
    author: isPage ? null : site.author(item.creator),
    taxonomy: taxonomyOf(item),
    summary: summaryOf(item.excerpt),
    metadata: { description: DESCRIPTIONS.map((key) => item.meta.get(key)).find((one) => one) },
    custom: { sticky: item.isSticky ? true : null },
  };
}

/** `2020-05-01 08:30`, without midnight; drafts may have the year 0. */
function dateOf({ date }: WxrItem): string | null {
  const found = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}/.exec(date)?.[0] ?? null;
  return found?.startsWith("0000") === true ? null : (found?.replace(/ 00:00$/, "") ?? null);
}

function statusOf({ status, hasPassword }: WxrItem, date: string | null): Record<string, unknown> {
  if (hasPassword || status === "draft") return { status: "draft" };
  if (status === "pending") return { status: "in_review" };
  if (status === "future")
    return date === null ? { status: "draft" } : { publish_date: date.replace(" ", "T") };
  return status === "publish" ? {} : { published: false };
}

function taxonomyOf({ terms }: WxrItem): Record<string, string[]> {
  const taxonomy: Record<string, string[]> = {};
  for (const { domain, name } of terms) {
    if (domain === "post_format") continue;
    const key = domain === "post_tag" ? "tag" : domain.replaceAll(/[^\w-]/g, "-");
    const values = (taxonomy[key] ??= []);
    if (!values.includes(name)) values.push(name);
  }
  return taxonomy;
}

function summaryOf(excerpt: string): string {
  return decodeEntities(withoutTags(excerpt)).replaceAll(/\s+/g, " ").trim();
}
