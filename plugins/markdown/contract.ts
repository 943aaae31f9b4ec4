/** Rendering of page bodies as other plugins see it: formats and their HTML. */
import type { Field, TransformHook } from "#kernel";
import type { ContentView, MediaItem, Page, PageEntry } from "../content/contract.js";

/** A rendered body. */
export interface Rendered {
  /** Sanitised HTML. */
  html: string;
  headings: readonly { level: number; id: string; text: string }[];
  /**
   * Read tags (`page:…`, `media:…`) of the targets of its links and images, for caches of the HTML.
   */
  reads?: readonly string[];
  /** Unix ms from which the HTML may be out of date, because of its shortcodes. */
  until?: number;
}
/** Rendered Markdown of a visitor. */
export interface VisitorText {
  /** Safe HTML; the escaped text when there is an obstacle. */
  readonly html: string;
  /**
   * Why the Markdown is shown as text: it takes too long or is nested too deeply (`text`), or the machine
   * was too busy and the next attempt may succeed (`busy`).
   */
  readonly obstacle: "text" | "busy" | null;
}
/** The page for which a shortcode is rendered. */
export interface ShortcodeContext {
  readonly page: PageEntry;
  /** Add what the HTML depends on besides the page: it is rendered again when one is invalidated. */
  readonly tags: Set<string>;
  /** Renders the HTML again from `time` on (Unix ms). */
  expireAt(time: number): void;
}
/** A shortcode renders the HTML that replaces `{{ name … }}` in `md` pages. */
export interface Shortcode {
  /** Definitions of its parameters in the field language, by name. Values without a name fill them in order. */
  readonly params: Readonly<Record<string, unknown>>;
  /** True: a word that is no parameter is a value: `{{ form contact }}`. Default: it is a flag. */
  readonly bareWords?: true;
  /**
   * HTML, the same for all visitors. A text is sanitised like the rest of the page; `trusted` HTML is
   * not. Errors are reported, and the shortcode is shown as text.
   */
  render(
    params: Readonly<Record<string, unknown>>,
    context: ShortcodeContext,
  ): string | TrustedHtml | Promise<string | TrustedHtml>;
  /** True for an address that, alone on a line, stands for this shortcode with it as first parameter. */
  address?(url: string): boolean;
}
/** HTML that is not sanitised. Escape every value in it. */
export interface TrustedHtml {
  readonly html: string;
  readonly trusted: true;
}
/**
 * What a caller needs of a rendering: `page` is the HTML that visitors see; `structure` has the same ids and
 * problems, without the colours of code, formulas and attributes of images, which take most of the time.
 */
export type RenderNeeds = "page" | "structure";
/** Input of a format. */
export interface RenderInput {
  page: Page;
  /** Resolves a relative media name or link to its URL; null when unknown. */
  resolve(reference: string): string | null;
  /** Props for `tsx` pages and MDX components. */
  props?: Readonly<Record<string, unknown>>;
  /** Default: `page`. */
  needs?: RenderNeeds;
}
/** A content format: renders the body of files with this extension to HTML. */
export interface Format {
  /** Without the dot. */
  extension: string;
  /** True when rendering runs code of the file on the server: only `plugins.manage` may write such files. */
  readonly runs?: boolean;
  render(input: RenderInput): Promise<Rendered>;
  /**
   * Plain text for search and excerpts, without markup and code blocks; one line per line of text.
   * With `limit`, may stop after about that many characters.
   */
  text(page: Page, limit?: number): string;
}
/**
 * Adds attributes (`srcset`, `width`, …) to images of rendered Markdown; provided by the media
 * plugin.
 */
export type FindImageAttributes = (
  item: MediaItem,
  page: PageEntry,
) => Promise<Readonly<Record<string, string>>>;

/** A page that could not be rendered and is shown as source or as an error. */
export interface MarkdownProblem {
  readonly sourcePath: string;
  /** `ERR_MARKDOWN_…`. */
  readonly code: string;
  readonly message: string;
  /** Line in the file, including front matter. */
  readonly line?: number;
  readonly column?: number;
  /** Parameter of a shortcode, its value, and what to do about it. */
  readonly key?: string;
  readonly value?: string;
  readonly fix?: string;
}

/**
 * Renders bodies to HTML and text.
 *
 * @example
 * const html = await site.use("markdown").renderText("**Open** until [late](/hours).");
 * const text = site.use("markdown").plainText("**Open** until late."); // Open until late.
 */
export interface MarkdownService {
  /**
   * HTML of a page, cached until the page or its media change. A body that fails or is too slow is a problem, shown as escaped source or an error.
   * @throws ERR_MARKDOWN_FORMAT_UNKNOWN.
   */
  render(
    page: Page,
    props?: Readonly<Record<string, unknown>>,
    needs?: RenderNeeds,
  ): Promise<Rendered>;
  /**
   * HTML of Markdown of no file, rendered as if it were in `base` or at the top of the
   * content folder. `view` learns what the shortcodes in it depend on. Cached in memory.
   * @throws ERR_MARKDOWN_TOO_LARGE (413) above 512 KB.
   */
  renderText(
    markdown: string,
    base?: PageEntry,
    view?: Pick<ContentView, "reads" | "expireAt">,
  ): Promise<string>;
  /**
   * HTML of Markdown that a visitor wrote, within the time limit of pages: emphasis, code, quotes, lists
   * and links; HTML, headings, images and shortcodes are text or left out. Nothing is cached: store the HTML.
   */
  renderVisitorText(markdown: string): Promise<VisitorText>;
  /** Plain text of a page. */
  text(page: Page): string;
  /** Plain text of Markdown of no file. */
  plainText(markdown: string): string;
  /** The page's summary: front matter `summary`, else the first `size` characters of its text. */
  excerpt(page: Page, size?: number): string;
  /** The URLs of references in the HTML of a page, in order. */
  hrefs(page: PageEntry, references: readonly string[]): Promise<readonly string[]>;
  /** Markup for the `<head>` of this HTML. */
  headOf(html: string): string;
  /** Ids of the HTML, found without rendering. */
  certainAnchors(page: Pick<Page, "entry" | "body">): ReadonlySet<string>;
  /** True when only rendering finds mistakes. */
  needsCheck(page: Pick<Page, "entry" | "body">): boolean;
  /** Files of style sheets, for an export. */
  fileAddresses(): readonly string[];
  /** The HTML for feeds and mail, without what needs styles. */
  forReaders(html: string): string;
  register(format: Format): void;
  /**
   * Adds a shortcode, in `setup`. @throws ERR_MARKDOWN_SHORTCODE.
   *
   * @example
   * import { escapeHtml } from "sitewright";
   * site.use("markdown").addShortcode("badge", {
   *   params: { text: { type: "text", required: true }, strong: { type: "toggle" } },
   *   render: ({ text, strong }) => {
   *     const tag = strong === true ? "strong" : "em";
   *     return `<${tag} class="badge">${escapeHtml(String(text))}</${tag}>`;
   *   },
   * });
   */
  addShortcode(name: string, shortcode: Shortcode): void;
  /** Names of the shortcodes, sorted. */
  shortcodes(): readonly string[];
  /** Its parameters. */
  shortcodeFields(name: string): readonly Field[];
  /** Failed renderings, shortcodes and wiki links. */
  problems(): readonly MarkdownProblem[];
}

/** `content.markdown` of system.yaml. */
export interface MarkdownSection {
  extra: boolean;
  auto_links: boolean;
  auto_url_links: boolean;
}

/** A system whose own lines may include files, besides `::: include`. */
export type IncludeSyntax = "mkdocs" | "mdbook" | "vitepress" | "obsidian";

/** `markdown` of site.yaml: syntax beyond CommonMark and GFM. */
export interface SyntaxSettings {
  alerts: boolean;
  directives: boolean;
  highlight: boolean;
  code_lines: boolean;
  math: boolean;
  mermaid: boolean;
  emoji: boolean;
  mark: boolean;
  sub_sup: boolean;
  toc: boolean;
  abbreviations: boolean;
  figures: boolean;
  wiki_links: boolean;
  margin_notes: boolean;
}

/** Loads the components of MDX pages, by name. */
export type MdxComponents = () => Promise<Readonly<Record<string, unknown>>>;

declare module "#kernel" {
  interface Extensions {
    /**
     * Attributes of images of pages (`srcset`, `width`, …); by default none.
     *
     * @example
     * site.extensions.add("imageAttributes", async (item) => ({ "data-bytes": String(item.size) }));
     */
    imageAttributes: FindImageAttributes;
    /**
     * Loads the components of MDX pages, by name; by default none.
     *
     * @example
     * site.extensions.add("mdxComponents", async () => ({
     *   Year: () => String(new Date().getFullYear()),
     * }));
     */
    mdxComponents: MdxComponents;
  }
}

declare module "../content/contract.js" {
  interface ContentSection {
    markdown: MarkdownSection;
    includes: readonly IncludeSyntax[];
  }
}
declare module "#kernel" {
  interface Services {
    markdown: MarkdownService;
  }
  interface HookMap {
    /**
     * Before a `md` body or loose Markdown is parsed.
     *
     * @example
     * site.hooks.on("onMarkdownProcess", ({ data, setData }) => {
     *   setData({ ...data, raw: data.raw.replaceAll("(c)", "©") });
     * });
     */
    onMarkdownProcess: TransformHook<{ raw: string; page: Page }>;
    /**
     * After sanitising; what a handler changes is sanitised again unless it sets `trusted`.
     *
     * @example
     * site.hooks.on("onMarkdownProcessed", ({ data, setData }) => {
     *   setData({ ...data, html: data.html.replaceAll("<table>", '<table class="wide">') });
     * });
     */
    onMarkdownProcessed: TransformHook<{ html: string; page: Page; trusted?: boolean }>;
  }
  interface SiteSettings {
    /** Lets pages disable sanitising with `trusted_html: true` in their front matter. */
    trusted_html: boolean;
    markdown: SyntaxSettings;
  }
  interface SystemSettings {
    typography: { orphan_protection: boolean };
  }
}
