/** The public API of content checks: problems, backlinks, moves that update links. */
import type { ApplyOptions, ContentChangeResult, ContentProblem } from "../content/contract.js";

/** A link, an image or a relation of a page or record that leads to another page or file of the site. */
export interface PageReference {
  /** The page that contains it, below `content/`, or the record: `flex-objects/product/chair.yaml`. */
  readonly from: string;
  /** As written in the source. */
  readonly text: string;
  /** Line in the file, from 1. */
  readonly line: number;
  /** Field of the front matter that names the page; absent for a link in the text. */
  readonly field?: string;
}
/** An address in a text: of a link, an image, a definition or an HTML attribute. */
export interface TextReference {
  /** With escapes and entities decoded. */
  readonly target: string;
  /** Position in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}
/** A page in one language of the site. */
export interface PageTranslation {
  readonly lang: string;
  /** `original`: in the default language. `outdated`: the original is newer. `missing`: there is no file. */
  readonly state: "original" | "translated" | "outdated" | "missing";
  /** The path of its file, whether it exists or not. */
  readonly sourcePath: string;
  /** Null when it is missing. */
  readonly title: string | null;
  readonly status: string | null;
}
/** A page in every language of the site. */
export interface PageTranslations {
  /** The language of the page that was asked for. */
  readonly lang: string;
  /** `translated_from` of translations of the current original; null without an original. */
  readonly stamp: string | null;
  /** The default language first. */
  readonly items: readonly PageTranslation[];
}
/** A file or folder below `content/` and its new path. */
export interface PageMove {
  readonly path: string;
  /** Equal to `path` when only the `slug` changes. */
  readonly to: string;
  /** The new `slug` of the page at a path before the move, whose address comes from its front matter. */
  readonly slug?: { readonly path: string; readonly value: string } | undefined;
}
/** The new place of a page. */
export interface PageTarget {
  /** Route of the page above; `/`: the top. Absent: as it is. */
  readonly parent?: string | undefined;
  /** The end of its address: `hello` of `/blog/hello`. Absent: as it is. */
  readonly segment?: string | undefined;
}
/** The result of a move, or of a dry run. */
export interface MoveReport {
  /** False: nothing was changed; `results` says why. */
  readonly ok: boolean;
  readonly results: readonly ContentChangeResult[];
  /** Pages whose links were rewritten, by their new path. */
  readonly rewritten: readonly string[];
  /** The pages of the moves whose address changes: old address to new address. Empty when `ok` is false. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Old address to new address, as now in `redirects` of site.yaml. */
  readonly redirects: Readonly<Record<string, string>>;
  /** Why `redirects` could not be written; null when they were. */
  readonly redirectError: string | null;
}
/** Options of a move. */
export interface MoveOptions extends ApplyOptions {
  /** Default true: the old address redirects to the new one. */
  redirect?: boolean;
}
/** Options of a change of redirects. */
export interface RedirectChangeOptions {
  /** The hash of the site.yaml that the caller has read; absent: any. */
  ifHash?: string;
}
/** The redirects that apply. */
export interface RedirectSource {
  /** Old address to new address. */
  readonly current: Readonly<Record<string, string>>;
  /**
   * Sets redirects in site.yaml, null removes one. They act at once, on all nodes. Returns the hash of the
   * file.
   * @throws ERR_CONFIG_REFUSED (400) for invalid addresses and loops, ERR_CONFIG_CHANGED (409) when the
   *   file has another hash than `ifHash`.
   */
  change(
    changes: Readonly<Record<string, string | null>>,
    options?: RedirectChangeOptions,
  ): Promise<string>;
}
/**
 * Checks of the content as a whole.
 *
 * @example
 * const check = site.use("check");
 * const links = await check.references("01.blog/02.hello/post.md");
 * const report = await check.move(check.movesFor("/blog/hello", "/blog/welcome"), { dryRun: true });
 */
export interface CheckService {
  /** All problems, by path. Reads files that changed since the last call. */
  problems(onPage?: (done: number, total: number) => void): Promise<readonly ContentProblem[]>;
  /**
   * The links and relations of other files and records to pages or media files: paths below `content/`, or
   * of records.
   */
  references(...files: readonly string[]): Promise<readonly PageReference[]>;
  /** The addresses in a Markdown text, in order; those in code are left out. */
  scan(text: string): readonly TextReference[];
  /** A page in every language of the site; null for an unknown path. */
  translations(sourcePath: string): PageTranslations | null;
  /**
   * Moves pages or folders as one change: updates links to them and from them, and adds redirects without
   * chains or loops. Writes nothing when one of the changes is rejected.
   */
  move(moves: readonly PageMove[], options?: MoveOptions): Promise<MoveReport>;
  /**
   * The files to move for a page to get another route, including its translations.
   * @throws ERR_CHECK_ROUTE for a route without a page, a taken route, or the home page.
   */
  movesFor(route: string, newRoute: string): readonly PageMove[];
  /** The same for another page above or end of the address; empty: it is there. */
  movesTo(sourcePath: string, target: PageTarget): readonly PageMove[];
  readonly redirects: RedirectSource;
}

declare module "#kernel" {
  interface ChangeKinds {
    /** Redirects that were set or removed (null), by the old address. Transient. */
    redirects: Readonly<Record<string, string | null>>;
  }
  interface Services {
    check: CheckService;
  }
}
