/** The format `wxr`: a file that WordPress and `site import wordpress` read. */
import type { Nodes } from "hast";
import rehypeRaw from "rehype-raw";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { atomicWrite } from "#kernel";
import type { MediaItem, Page, PageEntry } from "../../content/contract.js";
import type { ImportNote } from "../contract.js";
import { type ExportInput, type Written, pageMedia } from "./pick-pages.js";
import { wxrHead, attachmentItem, postItem, planPosts, type PlannedPost } from "./wxr-posts.js";

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
