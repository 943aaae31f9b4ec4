/** What others may know of rendering a page's body: formats and the HTML they give. */
import type { TransformHook } from "#kernel";
import type { MediaItem, Page, PageEntry } from "../content/contract.js";

/** A rendered body. */
export interface Rendered {
  /** Sanitised HTML. */
  html: string;
  headings: readonly { level: number; id: string; text: string }[];
  /** Read tags (`page:…`, `media:…`) of what its links and images lead to, for whoever holds the HTML. */
  reads?: readonly string[];
}
/** What a format needs to render a page. */
export interface RenderInput {
  page: Page;
  /** Turns a relative media name or link of the source into its URL; null when unknown. */
  resolve(reference: string): string | null;
  /** Props for `tsx` pages and MDX components. */
  props?: Readonly<Record<string, unknown>>;
}
/** A content format: how the body of a file with this extension becomes HTML. */
export interface Format {
  /** Without dot. */
  extension: string;
  render(input: RenderInput): Promise<Rendered>;
  /** What `render` would give again, when that is known; null: ask `render`. */
  kept?(page: Page): Rendered | null;
  /**
   * Plain text for search and excerpts: markup and code blocks removed, a line per line of text.
   * With `limit` the caller has enough after about so many characters.
   */
  text(page: Page, limit?: number): string;
}
/** Adds attributes to the images of rendered Markdown (`srcset`, `width`, …); the media plugin provides one. */
export type ImageAttributes = (
  item: MediaItem,
  page: PageEntry,
) => Promise<Readonly<Record<string, string>>>;

/** A page that is shown otherwise than its author meant: as source, or as an error. */
export interface MarkdownProblem {
  readonly sourcePath: string;
  /** `ERR_MARKDOWN_…`. */
  readonly code: string;
  readonly message: string;
  /** In the file, front matter counted. */
  readonly line?: number;
  readonly column?: number;
}

/** Bodies to HTML. */
export interface MarkdownService {
  /**
   * HTML of a page in any registered format; kept by content hash until the page or its media change.
   * A body that takes too long or fails gives its escaped source or an error text, and a problem.
   * Throws ERR_MARKDOWN_FORMAT_UNKNOWN.
   */
  render(page: Page, props?: Readonly<Record<string, unknown>>): Promise<Rendered>;
  /** What `render` would give, when it is in memory; null: ask `render`. */
  rendered(page: Page): Rendered | null;
  /**
   * HTML of loose Markdown through the whole pipeline (specification: render-markdown), as if it
   * stood in `base`, or at the top of the content folder. Throws ERR_MARKDOWN_TOO_LARGE (413) above 512 KB.
   */
  renderText(markdown: string, base?: PageEntry): Promise<string>;
  /** Plain text of a page, for search and excerpts, without running the renderer. */
  text(page: Page): string;
  /** Plain text of loose Markdown, of the same kind. */
  plainText(markdown: string): string;
  /** The page's summary: front matter `summary`, else the first `size` characters of its text. */
  excerpt(page: Page, size?: number): string;
  /** The addresses that references get in the HTML of a page, in the same order. */
  hrefs(page: PageEntry, references: readonly string[]): Promise<readonly string[]>;
  register(format: Format): void;
  setImageAttributes(attributes: ImageAttributes): void;
  /** Where MDX components come from: the active theme. */
  setComponents(load: () => Promise<Readonly<Record<string, unknown>>>): void;
  /** Pages whose last rendering failed. */
  problems(): readonly MarkdownProblem[];
}

/** `content.markdown` of system.yaml. */
export interface MarkdownSection {
  extra: boolean;
  auto_links: boolean;
  auto_url_links: boolean;
}

declare module "../content/contract.js" {
  interface ContentSection {
    markdown: MarkdownSection;
  }
}
declare module "#kernel" {
  interface Services {
    markdown: MarkdownService;
  }
  interface HookMap {
    /** Before a `md` body or loose Markdown is parsed. */
    onMarkdownProcess: TransformHook<{ raw: string; page: Page }>;
    /** After sanitising; what a handler puts here is sanitised again unless it sets `trusted`. */
    onMarkdownProcessed: TransformHook<{ html: string; page: Page; trusted?: boolean }>;
  }
  interface SiteSettings {
    /** Pages may switch sanitising off with `trusted_html: true` in their front matter. */
    trusted_html: boolean;
  }
  interface SystemSettings {
    typography: { orphan_protection: boolean };
  }
}
