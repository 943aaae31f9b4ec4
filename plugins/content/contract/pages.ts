/** Pages as rows of the index, their media, and files that cannot be read as pages. */

/** Editorial status of a page. */
export type WorkflowStatus = "draft" | "in_review" | "published" | "archived";

/** Rule of front matter `roles`; two empty lists: any visitor logged in. */
export interface RolesRule {
  /** The visitor needs every one of these. */
  readonly all: readonly string[];
  /** The visitor needs one of these. */
  readonly any: readonly string[];
}

/** One row of the index: everything lists need, without the body. Immutable. */
export interface PageEntry {
  /** Relative to `content/`, with forward slashes: `01.blog/02.hello/post.md`. The key of a page. */
  readonly sourcePath: string;
  /** Folder of the page's media below `content/`: `01.blog/02.hello`. */
  readonly folder: string;
  /** Public address without language prefix, not percent-encoded: `/blog/hello`; the home page is `/`. */
  readonly route: string;
  /** Public address with language prefix, percent-encoded: `/de/blog/hello`. */
  readonly url: string;
  readonly lang: string;
  /** `md`, `mdx`, `tsx`, or a format a plugin has registered. */
  readonly format: string;
  readonly template: string;
  readonly title: string;
  readonly navTitle: string;
  /** YYYY-MM-DD, null when undated. */
  readonly date: string | null;
  /** Unix ms of `date` where the file gives a time of day; null or absent otherwise. */
  readonly moment?: number | null;
  readonly status: WorkflowStatus;
  /** `published` of the front matter (default true). */
  readonly published: boolean;
  /** Unix ms: start and end of its publication; null without limit. */
  readonly publishAt: number | null;
  readonly unpublishAt: number | null;
  readonly visible: boolean;
  readonly routable: boolean;
  /** True: the page is in no list, navigation, search, feed or sitemap; its address is served. */
  readonly isUnlisted?: boolean;
  readonly isModule: boolean;
  /** From front matter, file or folder prefix; 0 when unordered. */
  readonly order: number;
  /** True when `order` is explicit: 0 then comes before 1. Otherwise 0 comes last. */
  readonly isOrdered?: boolean;
  /** 0 at top level. */
  readonly depth: number;
  /** Route of the parent page; null at top level and for the home page. */
  readonly parent: string | null;
  readonly taxonomy: Readonly<Record<string, readonly string[]>>;
  /** Null: public. */
  readonly roles: RolesRule | null;
  readonly aliases: readonly string[];
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Digest of the source file's bytes. */
  readonly hash: string;
  readonly mtimeMs: number;
  /** Bytes of the source file. */
  readonly size: number;
  /** Byte offset of the body in the source file. */
  readonly bodyOffset: number;
  /**
   * The language in which the page replaces a missing translation; absent otherwise. `url` is then
   * its address in that language, while `lang` remains the language of its text.
   */
  readonly standsInFor?: string;
}

/** A co-located media file. */
export interface MediaItem {
  readonly name: string;
  /** `/content-media/{folder}/{name}`, encoded. */
  readonly url: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** The sidecar's keys; `{}` without one. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly mtimeMs: number;
}

/** A source file that is not in the index, and why. */
export interface ContentProblem {
  readonly sourcePath: string;
  readonly severity: "error" | "warning";
  /** `ERR_CONTENT_…`. */
  readonly code: string;
  readonly message: string;
  readonly line?: number;
  /** Key of the front matter. */
  readonly key?: string;
  /** The value of the key, as JSON, shortened. */
  readonly value?: string;
  /** Tells how to fix the problem. */
  readonly fix?: string;
  /** True: `sourcePath` is below the site root instead of the content folder. */
  readonly isInRoot?: true;
}

/** A page whose file cannot be read as a page: what its path says, and its problem. */
export interface BrokenPage extends Pick<
  PageEntry,
  "sourcePath" | "format" | "template" | "lang" | "isModule" | "mtimeMs" | "size" | "hash"
> {
  /** The name of its folder or file, without number, language and extension. */
  readonly title: string;
  readonly parent: PageEntry["parent"];
  readonly problem: BrokenPlace;
}

/** Why a page cannot be read, and where; lines and columns count from 1. */
export interface BrokenPlace extends Pick<
  ContentProblem,
  "code" | "message" | "line" | "key" | "fix"
> {
  readonly column?: number;
}

/** A broken page with its text. */
export interface BrokenSource extends BrokenPage {
  /** Null for a file that is not UTF-8 text, or is too large. */
  readonly raw: string | null;
}
