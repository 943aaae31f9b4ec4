/** WordPress: the file of Tools → Export (WXR). */
import { basename, posix } from "node:path";
import { mediaTypeOf } from "#lib/files";
import { withoutTags } from "#lib/text";
import type {
  ImportedMedia,
  ImportedPage,
  ImportedSite,
  ImportItem,
  ImportSource,
  Origin,
  SourceInput,
} from "../../contract.js";
import { decoded, idKey } from "../../plan/address-key.js";
import { toSlug } from "../../plan/safe-name.js";
import {
  decodeEntities,
  readChannel,
  childText,
  toItem,
  type WxrItem,
  type WxrTerm,
  type XmlElement,
} from "./read-wxr.js";
import { blockReferences, expandBlocks, type ReusableBlock } from "./blocks.js";
import { authorAddress, authorNames, authorPage, hasPage, type SourceAuthor } from "../authors.js";
import { termRedirect } from "../old-lists.js";
import { detached } from "../source-files.js";
import { expandShortcodes, hasBlocks, withoutBlocks, withParagraphs } from "./post-html.js";

/** Types of items that no visitor sees on their own, of WordPress and of plugins, beside `wp_…`. */
const INTERNAL: ReadonlySet<string> = new Set(
  [
    "nav_menu_item revision custom_css customize_changeset oembed_cache user_request",
    "acf-field acf-field-group acf-post-type acf-taxonomy acf-ui-options-page _pods_pod _pods_field _pods_group",
    "scheduled-action shop_order shop_order_refund shop_coupon shop_subscription edd_payment edd_log",
    "wpcf7_contact_form wpforms amn_wpforms_lite feedback flamingo_contact flamingo_inbound flamingo_outbound",
    "mc4wp-form elementor_library elementor_font elementor_icons elementor_snippet et_pb_layout",
    "fl-builder-template vc_grid_item vc4_templates jp_img_sitemap jp_sitemap jp_sitemap_master jp_vid_sitemap",
    "jp_mem_plan jp_pay_order jp_pay_product jetpack_migration ml-slider ml-slide tablepress_table",
    "ngg_album ngg_gallery ngg_pictures displayed_gallery display_type lightbox_library gal_display_source",
    "wp-types-group wp-types-user-group safecss bp-email cookielawinfo amp_validated_url popup popup_theme",
  ]
    .join(" ")
    .split(" "),
);

function isInternal(type: string): boolean {
  return INTERNAL.has(type) || type.startsWith("wp_");
}

/** The source `wordpress`. */
export const wordpress: ImportSource = {
  summary: "the XML file of Tools → Export",
  items,
};

async function* items({ path }: SourceInput): AsyncGenerator<ImportItem> {
  const site = await WordpressSite.read(path);
  const file = basename(path);
  yield { kind: "site", hosts: site.hosts, ...site.facts };
  for (const reason of site.notes) yield { kind: "notImported", origin: { file }, reason };
  for await (const element of readChannel(path)) {
    if (element.name === "item") yield* toItems(toItem(element), site, file);
  }
  yield* site.lists({ file });
}

function* toItems(item: WxrItem, site: WordpressSite, file: string): Generator<ImportItem> {
  const origin = { file, line: item.line };
  const issue = findIssue(item, site);
  if (issue === "") return;
  if (issue !== null)
    yield { kind: "notImported", origin, reason: issue, addresses: addressesOf(item) };
  else if (item.type === "attachment") {
    const media = toAttachment(item, origin);
    if (media === null) {
      yield { kind: "notImported", origin, reason: `${formatLabel(item)}: it has no address` };
    } else {
      yield media;
      yield* numberedAddress(item, origin);
    }
  } else {
    yield toPage(item, origin, site);
    if (item.status === "publish" && !item.hasPassword) yield* numberedAddress(item, origin);
    if (item.comments > 0) {
      const reason = `${formatLabel(item)}: ${item.comments} comments`;
      yield { kind: "notImported", origin, reason };
    }
  }
}

/** The address of a public item on a site with plain permalinks: `/?p=12`. */
function* numberedAddress({ link, id }: WxrItem, origin: Origin): Generator<ImportItem> {
  if (URL.canParse(link) && /[?&](?:p|page_id|attachment_id)=\d/.test(link))
    yield { kind: "redirect", origin, from: link, to: idKey(id) };
}

/** Says why an item stays behind; empty for one whose content is in other pages. */
function findIssue(item: WxrItem, site: WordpressSite): string | null {
  const { type, status, id } = item;
  if (type === "wp_block") {
    return site.isUsed(id) ? "" : `${formatLabel(item)}: no page contains this reusable block`;
  }
  if (type === "guest-author") return "";
  if (type === "nav_menu_item") return "entries of menus: pages have the order of theirs";
  if (isInternal(type)) return `items of type ${type} belong to the old theme or to a plugin`;
  if (status === "trash" || status === "auto-draft")
    return `${formatLabel(item)}: its status is ${status}`;
  return site.isHiddenType(item) ? `items of type ${type} had no pages in the old site` : null;
}

function addressesOf({ link, id }: WxrItem): string[] {
  return [link, idKey(id)].filter((one) => one !== "");
}

function formatLabel({ type, title, id }: WxrItem): string {
  return `${type} ${JSON.stringify(title || id)}`;
}

const MAX_SUMMARY = 500;
/** Descriptions for search engines, as plugins store them. */
const DESCRIPTIONS = ["_yoast_wpseo_metadesc", "_aioseop_description", "rank_math_description"];

/** A post or page. Posts go below `/blog`, other types below their name. */
function toPage(item: WxrItem, origin: Origin, site: WordpressSite): ImportedPage {
  const isPage = item.type === "page";
  const content = site.expand(item);
  const { html, kept } = expandShortcodes(withoutBlocks(content.html), site.findImages(item.id));
  const notes = [...content.lost, ...kept.map((name) => `shortcode [${name}] stays as text`)];
  if (item.hasPassword) notes.push("it has a password: it is a draft now");
  if (item.status === "private") notes.push("it is private: it is unpublished now");
  const route = toRoute(item, site);
  return {
    kind: "page",
    origin,
    notes,
    base: { url: item.link || null, file: null },
    route,
    template: route === "/blog" ? "blog" : isPage ? "default" : "post",
    position: isPage ? findPosition(item, site) : null,
    frontmatter: toFrontMatter(item, site),
    image: findImage(item, site),
    body: { format: "html", text: hasBlocks(item.content) ? html : withParagraphs(html) },
    addresses: addressesOf(item),
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

function toRoute(item: WxrItem, site: WordpressSite): string {
  const slug = decoded(item.slug) || toSlug(item.title || `${item.type}-${item.id}`);
  if (item.type === "page" && isFrontPage(item)) return "/";
  if (item.type === "page") return `/${[...site.slugsAbove(item.parent), slug].join("/")}`;
  return `/${item.type === "post" ? "blog" : item.type}/${slug}`;
}

/** True for the page at the address of the site itself. */
function isFrontPage({ link }: WxrItem): boolean {
  if (!URL.canParse(link)) return false;
  const { pathname, search } = new URL(link);
  return pathname === "/" && search === "";
}

/** A page of a menu has its place there; without menus, pages at the top have their order. */
function findPosition({ id, parent, menuOrder }: WxrItem, site: WordpressSite): number | null {
  const position = site.menuPosition(id);
  if (position !== null) return position;
  return parent !== "0" && parent !== "" && menuOrder > 0 ? menuOrder : null;
}

function findImage({ meta }: WxrItem, site: WordpressSite): string | null {
  const id = meta.get("_thumbnail_id");
  return id === undefined || site.fileUrl(id) === null ? null : idKey(id);
}

/** Empty values are left out later. */
function toFrontMatter(item: WxrItem, site: WordpressSite): Record<string, unknown> {
  const isPage = item.type === "page";
  const date = readDate(item);
  return {
    title: item.title || item.slug || `${item.type} ${item.id}`,
    date: isPage ? null : date,
    ...toStatus(item, date),
    author: isPage ? null : site.authorsOf(item),
    taxonomy: toTaxonomy(item),
    summary: readSummary(item.excerpt),
    metadata: { description: DESCRIPTIONS.map((key) => item.meta.get(key)).find((one) => one) },
    custom: { sticky: item.isSticky ? true : null },
  };
}

/** `2020-05-01 08:30`, without midnight; drafts may have the year 0. */
function readDate({ date }: WxrItem): string | null {
  const text = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}/.exec(date)?.[0] ?? null;
  return text?.startsWith("0000") === true ? null : (text?.replace(/ 00:00$/, "") ?? null);
}

function toStatus({ status, hasPassword }: WxrItem, date: string | null): Record<string, unknown> {
  if (hasPassword || status === "draft") return { status: "draft" };
  if (status === "pending") return { status: "in_review" };
  if (status === "future")
    return date === null ? { status: "draft" } : { publish_date: date.replace(" ", "T") };
  return status === "publish" ? {} : { published: false };
}

function toTaxonomy({ terms }: WxrItem): Record<string, string[]> {
  const taxonomy: Record<string, string[]> = {};
  for (const { domain, name } of terms) {
    if (domain === "post_format" || domain === "author") continue;
    const key = domain === "post_tag" ? "tag" : domain.replaceAll(/[^\w-]/g, "-");
    const values = (taxonomy[key] ??= []);
    if (!values.includes(name)) values.push(name);
  }
  return taxonomy;
}

function readSummary(excerpt: string): string {
  return decodeEntities(withoutTags(excerpt)).replaceAll(/\s+/g, " ").trim();
}

interface KnownPage {
  readonly slug: string;
  readonly parent: string;
}

/** Facts of a whole export, without its texts. */
class WordpressSite {
  readonly #hosts = new Set<string>();
  readonly #authors = new Map<string, SourceAuthor>();
  readonly #guests = new Map<string, SourceAuthor>();
  /** Names of authors with public posts. */
  readonly #active = new Set<string>();
  readonly #terms = new Map<string, WxrTerm>();
  /** Slug of a category to that of the one above it. */
  readonly #above = new Map<string, string>();
  readonly #facts: { title: string | null; description: string | null; language: string | null } = {
    title: null,
    description: null,
    language: null,
  };
  readonly #pages = new Map<string, KnownPage>();
  readonly #files = new Map<string, string>();
  readonly #images = new Map<string, string[]>();
  readonly #menu = new Map<string, number>();
  readonly #domains = new Set<string>();
  readonly #blocks = new Map<string, ReusableBlock>();
  readonly #usedBlocks = new Set<string>();
  /** True when published posts or pages have addresses without a number. */
  #hasPaths = false;
  #accounts = 0;

  /** Reads the export. @throws ERR_IMPORT_SOURCE */
  static async read(path: string): Promise<WordpressSite> {
    const site = new WordpressSite();
    for await (const element of readChannel(path)) site.#add(element);
    return site;
  }

  get hosts(): readonly string[] {
    return [...this.#hosts];
  }

  /** Remarks about the export as a whole. */
  get notes(): readonly string[] {
    const domains = [...this.#domains].filter(
      (one) => !["category", "post_tag", "post_format", "author"].includes(one),
    );
    return [
      ...(this.#accounts > 0
        ? [
            `${this.#accounts} accounts of authors: pages have their names, create accounts with users:create`,
          ]
        : []),
      ...(domains.length > 0
        ? [
            `taxonomies ${domains.join(", ")}: pages have their terms, add the names to taxonomies in site.yaml to list them`,
          ]
        : []),
    ];
  }

  /** Name, tagline and language. */
  get facts(): Pick<ImportedSite, "title" | "description" | "language"> {
    return this.#facts;
  }

  /** The names of the authors of an item: those of Co-Authors Plus, else the one who created it. */
  authorsOf({ terms, creator }: WxrItem): string | string[] | null {
    const together = terms.filter(({ domain }) => domain === "author");
    const names = together.map(({ slug, name }) => {
      const login = slug.replace(/^cap-/, "");
      return (this.#authors.get(login) ?? this.#guests.get(login))?.name ?? name;
    });
    const all = names.length > 0 ? names : [this.#authors.get(creator)?.name ?? creator];
    return authorNames(all, new Map());
  }

  /** Pages of guest authors, and redirects from the old addresses of terms and authors. */
  *lists(origin: Origin): Generator<ImportItem> {
    for (const [login, author] of [...this.#guests, ...this.#authors]) {
      const old = `/author/${login}`;
      if (hasPage(author)) yield authorPage(author, origin, [old]);
      else if (this.#active.has(author.name))
        yield { kind: "redirect", origin, from: old, to: authorAddress(author), target: "listing" };
    }
    for (const { domain, name, slug } of this.#terms.values()) {
      if (slug === "") continue;
      const taxonomy = domain === "post_tag" ? "tag" : domain;
      const path = this.#pathOf(domain, decoded(slug));
      for (const base of [`/${taxonomy}`, `/blog/${taxonomy}`])
        for (const one of new Set([path, decoded(slug)])) {
          yield termRedirect(`${base}/${one}`, { name: taxonomy, term: name }, origin);
          const feed = `/taxonomy/${taxonomy}/${name}/feed.xml`;
          yield { kind: "redirect", origin, from: `${base}/${one}/feed`, to: feed, target: "feed" };
        }
    }
  }

  /** A category is below the one above it. */
  #pathOf(domain: string, slug: string): string {
    const parts = [slug];
    for (
      let above = this.#above.get(slug);
      domain === "category" && above !== undefined && !parts.includes(above);
    ) {
      parts.unshift(above);
      above = this.#above.get(above);
    }
    return parts.join("/");
  }

  /** Position of a page in a menu; null when no menu has it. */
  menuPosition(id: string): number | null {
    return this.#menu.get(id) ?? null;
  }

  /** The address of an attachment. */
  fileUrl(id: string): string | null {
    return this.#files.get(id) ?? null;
  }

  /** Ids of the images that were uploaded to a page. */
  findImages(id: string): readonly string[] {
    return this.#images.get(id) ?? [];
  }

  /** True for a reusable block that another item contains. */
  isUsed(id: string): boolean {
    return this.#usedBlocks.has(id);
  }

  /** The content of an item, with reusable blocks and footnotes. */
  expand({ content, meta }: WxrItem): { html: string; lost: readonly string[] } {
    const footnotes = meta.get("footnotes") ?? meta.get("_footnotes");
    return expandBlocks(content, { reusable: (id) => this.#blocks.get(id), footnotes });
  }

  /** True for a published item of a type of its own without an address, where others have one. */
  isHiddenType({ type, status, link }: WxrItem): boolean {
    if (["post", "page", "attachment"].includes(type) || status !== "publish") return false;
    return this.#hasPaths && /[?&]post_type=/.test(link);
  }

  /** Slugs of the pages above a page, the top one first. */
  slugsAbove(parent: string): string[] {
    const slugs: string[] = [];
    const seen = new Set<string>();
    for (let id = parent; id !== "0" && id !== "" && !seen.has(id);) {
      seen.add(id);
      const page = this.#pages.get(id);
      if (page === undefined) break;
      slugs.unshift(page.slug);
      id = page.parent;
    }
    return slugs;
  }

  #add(element: XmlElement): void {
    const { name, text } = element;
    if (name === "link" || name === "wp:base_site_url" || name === "wp:base_blog_url")
      this.#host(text);
    else if (name === "title") this.#facts.title = decodeEntities(text.trim()) || null;
    else if (name === "description") this.#facts.description = decodeEntities(text.trim()) || null;
    else if (name === "language") this.#facts.language = text.trim() || null;
    else if (name === "wp:category") {
      const above = childText(element, "wp:category_parent");
      if (above !== "")
        this.#above.set(decoded(childText(element, "wp:category_nicename")), decoded(above));
    } else if (name === "wp:author") this.#author(element);
    else if (name === "item") this.#item(toItem(element));
  }

  #host(text: string): void {
    // WordPress.com names its own host as that of the network.
    if (URL.canParse(text.trim())) this.#hosts.add(new URL(text.trim()).hostname);
    this.#hosts.delete("wordpress.com");
  }

  #author(element: XmlElement): void {
    const login = childText(element, "wp:author_login");
    this.#accounts += 1;
    const name = childText(element, "wp:author_display_name") || login;
    this.#authors.set(login, { name, bio: "", image: "" });
  }

  #item(item: WxrItem): void {
    const { id, type, parent, slug, attachmentUrl, terms } = item;
    this.#contents(item);
    this.#authorship(item);
    for (const { domain } of terms) if (type !== "nav_menu_item") this.#domains.add(domain);
    if (type === "page") this.#pages.set(id, { slug: decoded(slug) || `page-${id}`, parent });
    else if (type === "nav_menu_item") this.#menuItem(item);
    else if (type === "attachment" && attachmentUrl !== "") {
      this.#files.set(id, attachmentUrl);
      const images = this.#images.get(parent);
      if (!mediaTypeOf(attachmentUrl).startsWith("image/")) return;
      if (images === undefined) this.#images.set(parent, [id]);
      else images.push(id);
    }
  }

  /** Notes reusable blocks and who uses them, and whether addresses have paths. */
  #contents(item: WxrItem): void {
    const { type, id, status, content } = item;
    for (const used of blockReferences(content)) this.#usedBlocks.add(detached(used));
    if (type === "wp_block") {
      const isPublic = status === "publish" && !item.hasPassword;
      this.#blocks.set(id, { content, isPublic });
    }
    if ((type === "post" || type === "page") && status === "publish" && URL.canParse(item.link))
      this.#hasPaths ||= new URL(item.link).pathname !== "/";
  }

  /** Notes guest authors, and the terms and authors of public posts. */
  #authorship(item: WxrItem): void {
    const { type, slug, status, terms } = item;
    if (type === "guest-author") {
      const login = item.meta.get("cap-user_login") ?? slug.replace(/^cap-/, "");
      const name = item.meta.get("cap-display_name") || item.title || login;
      this.#guests.set(login, { name, bio: item.meta.get("cap-description") ?? "", image: "" });
    }
    if (type === "post" && status === "publish" && !item.hasPassword) {
      for (const term of terms) this.#terms.set(`${term.domain} ${term.name}`, term);
      for (const author of [this.authorsOf(item)].flat())
        if (author !== null) this.#active.add(author);
    }
  }

  #menuItem({ meta, menuOrder }: WxrItem): void {
    const id = meta.get("_menu_item_object_id") ?? "";
    const isTop = (meta.get("_menu_item_menu_item_parent") ?? "0") === "0";
    if (meta.get("_menu_item_object") !== "page" || !isTop || this.#menu.has(id)) return;
    this.#menu.set(id, Math.max(1, menuOrder));
  }
}
