/** The format `wxr`: a file that WordPress and `site import wordpress` read. */
import { posix } from "node:path";
import type { Nodes } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { atomicWrite, escapeHtml, type SiteContext } from "#kernel";
import type { MediaItem, Page, PageEntry } from "../../content/contract.js";
import type { ImportNote } from "../contract.js";
import { type ExportInput, pageMedia, type Written } from "./pick-pages.js";
import { toSlug } from "../plan/safe-name.js";

/** Writes the file, one page at a time. */
export async function writeWxr(input: ExportInput): Promise<Written> {
  const run = new WxrExport(input);
  await atomicWrite(input.out, run.parts(), { access: "shared" });
  return { pages: run.pages, media: run.media, records: 0, redirects: 0, notes: run.notes };
}

class WxrExport {
  readonly #input: ExportInput;
  readonly #base: string;
  /** Address of a file to its id: pages can share a folder. */
  readonly #files = new Map<string, number>();
  readonly notes: ImportNote[] = [];
  pages = 0;
  #lastId = 0;

  constructor(input: ExportInput) {
    this.#input = input;
    this.#base = input.site.settings.site.url.replace(/(?<!\/)\/+$/, "");
  }

  get media(): number {
    return this.#files.size;
  }

  async *parts(): AsyncGenerator<Buffer> {
    const { site, picked, tick } = this.#input;
    const posts = planPosts(picked.pages.filter((entry) => this.#fits(entry)));
    this.#lastId = posts.length;
    yield Buffer.from(wxrHead(site, this.#base, posts));
    for (const post of posts) {
      yield Buffer.from(await this.#itemsOf(post));
      this.pages += 1;
      tick();
    }
    yield Buffer.from("</channel>\n</rss>\n");
  }

  #fits({ lang, sourcePath, frontmatter }: PageEntry): boolean {
    const { main } = this.#input.site.use("content").languages;
    const reason =
      lang !== main
        ? `WXR has one language: pages in ${lang} were left out`
        : frontmatter["redirect"] === undefined
          ? null
          : "it only redirects";
    if (reason !== null) this.notes.push({ file: sourcePath, reason });
    return reason === null;
  }

  async #itemsOf(post: PlannedPost): Promise<string> {
    const { site, picked } = this.#input;
    const page = await picked.view.load(post.entry);
    const modules = picked.view.modules(post.entry).filter((module) => picked.accepts(module));
    const loaded = await Promise.all(modules.map((module) => picked.view.load(module)));
    const all = [page, ...loaded].map((one) => pageMedia(site, picked, one));
    const files = (await Promise.all(all)).flat();
    const attachments = files.map((file) => this.#attachment(file, post.id)).join("");
    const image = site.use("content").addresses.imageOf(post.entry);
    const { route, url } = post.entry;
    // An address without a path is that of the front page.
    const link = route === "/" ? new URL("/", this.#base).href : this.#base + url;
    return (
      postItem(post, {
        link,
        status: this.#statusOf(post.entry),
        content: await this.#bodyOf([page, ...loaded]),
        image: image === null ? null : (this.#files.get(image) ?? null),
      }) + attachments
    );
  }

  async #bodyOf(pages: readonly Page[]): Promise<string> {
    const markdown = this.#input.site.use("markdown");
    const texts = await Promise.all(
      pages.map(async (page) => markdown.forReaders((await markdown.render(page)).html)),
    );
    return postBody(texts.join("\n"), this.#base);
  }

  #attachment(file: MediaItem, parent: number): string {
    if (this.#files.has(file.url)) return "";
    this.#lastId += 1;
    this.#files.set(file.url, this.#lastId);
    return attachmentItem(file, { id: this.#lastId, parent, url: this.#base + file.url });
  }

  /** Gated pages are private: WordPress has no roles for readers. */
  #statusOf(entry: PageEntry): string {
    const { picked, site } = this.#input;
    if (picked.isReleased(entry)) return entry.roles === null ? "publish" : "private";
    if (entry.status === "draft") return "draft";
    if (entry.status === "in_review") return "pending";
    const isScheduled = (entry.publishAt ?? 0) > site.runtime.clock.now();
    const isReady = entry.status === "published" && entry.published && entry.roles === null;
    return isScheduled && isReady ? "future" : "private";
  }
}

const ADDRESSES = ["href", "src", "poster", "data"];
/** Stands for a bracket that would start a shortcode; not a character of any text. */
const BRACKET = "\uFDD0";

const parser = unified().use(rehypeRaw);
const writer = unified().use(rehypeStringify);

/**
 * HTML of a page as the content of a post: absolute addresses, no shortcodes, no added paragraphs. `base` is the
 * address of the site, without a slash at the end.
 */
async function postBody(html: string, base: string): Promise<string> {
  if (html.trim() === "") return "";
  const value = html.replaceAll(BRACKET, "");
  const tree = await parser.run({ type: "root", children: [{ type: "raw", value }] });
  if (tree.type !== "root") return "";
  visit(tree, (node) => changeNode(node, base));
  const text = writer.stringify(tree).replaceAll(BRACKET, "&#91;");
  return `<!-- wp:html -->\n${text}\n<!-- /wp:html -->`;
}

function changeNode(node: Nodes, base: string): void {
  if (node.type === "text") node.value = node.value.replaceAll(/\[(?=[a-z/])/gi, BRACKET);
  if (node.type !== "element") return;
  for (const name of ADDRESSES) {
    const value = node.properties[name];
    if (typeof value === "string" && /^\/(?!\/)/.test(value)) node.properties[name] = base + value;
  }
  // Sizes that the server renders; the original is in `src`.
  delete node.properties["srcSet"];
  delete node.properties["sizes"];
}

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
function postItem(post: PlannedPost, fields: PostFields): string {
  const { id, entry, type, parent, slug, author } = post;
  const { frontmatter, title, order } = entry;
  const date = readDate(entry, fields.status);
  return `<item>
<title>${cdata(escapeHtml(title))}</title>
<link>${xmlText(fields.link)}</link>
<guid isPermaLink="false">${xmlText(fields.link)}</guid>
${pubDate(date)}${author === "" ? "" : element("dc:creator", loginOf(author))}<content:encoded>${cdata(fields.content)}</content:encoded>
${element("excerpt:encoded", escapeHtml(toText(frontmatter["summary"])))}<wp:post_id>${id}</wp:post_id>
${element("wp:post_date", date)}<wp:comment_status>closed</wp:comment_status>
<wp:post_name>${cdata(slug)}</wp:post_name>
<wp:status>${fields.status}</wp:status>
<wp:post_parent>${parent}</wp:post_parent>
<wp:menu_order>${Math.max(0, Math.floor(order))}</wp:menu_order>
<wp:post_type>${type}</wp:post_type>
<wp:is_sticky>${isSticky(entry) ? 1 : 0}</wp:is_sticky>
${categories(entry)}${meta("_yoast_wpseo_metadesc", readDescription(entry))}${meta("_thumbnail_id", fields.image === null ? "" : String(fields.image))}</item>
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
function attachmentItem(
  { name, meta: known }: MediaItem,
  { id, parent, url }: AttachmentFields,
): string {
  return `<item>
<title>${cdata(escapeHtml(name))}</title>
<link>${xmlText(url)}</link>
<guid isPermaLink="false">${xmlText(url)}</guid>
<content:encoded></content:encoded>
${element("excerpt:encoded", escapeHtml(toText(known["title"])))}<wp:post_id>${id}</wp:post_id>
<wp:post_name>${cdata(toSlug(name))}</wp:post_name>
<wp:status>inherit</wp:status>
<wp:post_parent>${parent}</wp:post_parent>
<wp:post_type>attachment</wp:post_type>
<wp:attachment_url>${xmlText(url)}</wp:attachment_url>
${meta("_wp_attachment_image_alt", toText(known["alt"]))}</item>
`;
}

/** `2020-05-01 08:30:00` as written in the file; of a scheduled page when it appears. */
function readDate({ date, frontmatter }: PageEntry, status: string): string {
  const written = status === "future" ? frontmatter["publish_date"] : frontmatter["date"];
  const [, day = date ?? "", time = "00:00"] = MOMENT.exec(toText(written)) ?? [];
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
          `<category domain="${xmlText(toDomain(name))}" nicename="${xmlText(toSlug(value))}">${cdata(escapeHtml(value))}</category>\n`,
      ),
    )
    .join("");
}

function meta(key: string, value: string): string {
  if (value === "") return "";
  return `<wp:postmeta>${element("wp:meta_key", key)}${element("wp:meta_value", value)}</wp:postmeta>\n`;
}

function readDescription({ frontmatter }: PageEntry): string {
  const { metadata } = frontmatter;
  return typeof metadata === "object" && metadata !== null && "description" in metadata
    ? toText(metadata.description)
    : "";
}

function isSticky({ frontmatter: { custom } }: PageEntry): boolean {
  return typeof custom === "object" && custom !== null && "sticky" in custom && !!custom.sticky;
}

function toText(value: unknown): string {
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
interface PlannedPost {
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
function planPosts(pages: readonly PageEntry[]): readonly PlannedPost[] {
  const ids = new Map<string, number>();
  for (const [at, entry] of pages.entries()) if (!isPost(entry)) ids.set(entry.route, at + 1);
  return pages.map((entry, at) => {
    const above = isPost(entry) ? "/blog" : findParentRoute(entry.route, ids);
    const rest = entry.route.slice(above === "/" ? 1 : above.length + 1);
    return {
      id: at + 1,
      entry,
      type: isPost(entry) ? "post" : "page",
      author: readAuthor(entry),
      parent: isPost(entry) || above === "/" ? 0 : (ids.get(above) ?? 0),
      slug: encodeURIComponent(rest === "" ? "home" : rest),
    };
  });
}

function isPost({ route, template, date }: PageEntry): boolean {
  return /^\/blog\/[^/]+$/.test(route) && (template === "post" || date !== null);
}

/** The nearest page above. */
function findParentRoute(route: string, ids: ReadonlyMap<string, number>): string {
  let above = posix.dirname(route);
  while (above !== "/" && !ids.has(above)) above = posix.dirname(above);
  return above;
}

function readAuthor({ frontmatter }: PageEntry): string {
  const { author } = frontmatter;
  const names: unknown[] = Array.isArray(author) ? author : [author];
  return names.filter((name): name is string => typeof name === "string").join(", ");
}

/** The login of an author: a name for a reference within the file. */
function loginOf(author: string): string {
  return toSlug(author);
}

/** WordPress' name of a taxonomy. */
function toDomain(taxonomy: string): string {
  return taxonomy === "tag" ? "post_tag" : taxonomy;
}

/** Everything before the first item: the site, its authors and terms. `base` is the address of the site. */
function wxrHead({ settings }: SiteContext, base: string, posts: readonly PlannedPost[]): string {
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
  const slug = toSlug(value);
  if (taxonomy === "category")
    return `<wp:category>${element("wp:category_nicename", slug)}${element("wp:cat_name", name)}</wp:category>\n`;
  if (taxonomy === "tag")
    return `<wp:tag>${element("wp:tag_slug", slug)}${element("wp:tag_name", name)}</wp:tag>\n`;
  return `<wp:term>${element("wp:term_taxonomy", toDomain(taxonomy))}${element("wp:term_slug", slug)}${element("wp:term_name", name)}</wp:term>\n`;
}
