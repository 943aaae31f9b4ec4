/** The service `content`. */
import type { Request } from "express";
import type { ZodType } from "zod";
import type { Change, ChangeBatch, FieldKind, FieldKinds } from "#kernel";
import type { RedirectRule } from "../settings.js";
import type { Blueprints, EditorSchemas, Relations } from "./blueprints.js";
import type {
  ApplyOptions,
  ContentChange,
  ContentChangeResult,
  PageEvent,
  TreeState,
} from "./writes.js";
import type {
  BrokenPage,
  BrokenSource,
  ContentProblem,
  PageEntry,
  WorkflowStatus,
} from "./pages.js";
import type { ContentReads, Moment, MomentOptions, PageVersion, Viewer } from "./moments.js";
import type { ContentView, RouteMatch } from "./views.js";

/** A file, and the page of its folder. */
interface MediaFile {
  /** Absolute path. */
  file: string;
  entry: PageEntry | null;
}

/** A page that changed while its change was not announced. */
export interface MissedChange {
  readonly op: Change["op"];
  /** Below the content folder. */
  readonly sourcePath: string;
}

/** A text that a page may get. */
export interface PageText {
  /** Below the content folder. */
  readonly path: string;
  /** The whole file, front matter included. */
  readonly text: string;
}

/** The treatment of files of a format. */
export interface FormatOptions {
  /** True: the server runs code in such files, so that writing them needs the right `code`. Default false. */
  readonly runs?: boolean | undefined;
}

/** Builds and parses the URLs of the site and the paths of its content. */
export interface ContentAddresses {
  /**
   * The URL prefix of a language: `/de`; empty for the default one (unless
   * `include_default_in_url` is set) and on a site with one language.
   */
  prefixOf(lang: string): string;
  /**
   * The URL prefix of resources that are not pages, such as feeds: `/de`; always empty for the
   * default language.
   */
  rootOf(lang: string): string;
  /** Public address of a route in a language, percent-encoded: `/de/blog`. */
  urlOf(route: string, lang: string): string;
  /** Parses a public address, percent-encoded or not; `lang` is null without a language prefix. */
  parse(address: string): { route: string; lang: string | null };
  /** Address of the image that the front matter names: a file of the page's folder or an address; null without one. */
  imageOf(entry: PageEntry): string | null;
  /** Converts `content/a.md` to `a.md`; null for a path outside the content folder. */
  belowContent(path: string): string | null;
  /** Converts `a.md` to `content/a.md`. */
  fromRoot(sourcePath: string): string;
  /** One spelling for all keys of `redirects` that are the same address: decoded, in NFC, without slash at the end. */
  readonly redirectKey: (from: string) => string;
  /** Why `redirects` of site.yaml does not take a redirect, as what is expected instead; null when it does. */
  readonly redirectProblem: (from: string, to: string) => string | null;
}

/** Query parameters of a route with a localised response. */
export interface LanguageParameters {
  /** An unsupported language is a 400 that lists the supported ones. */
  lang: ZodType<string | undefined, string | undefined>;
  /** `0` or `1`. */
  fallback: ZodType<boolean, string | undefined>;
}

/** Defaults of the query parameters of a localised route. */
export interface LanguageParameterDefaults {
  /** True: pages of the default language replace missing translations. */
  readonly fallback: boolean;
}

/** The languages of the site. */
export interface ContentLanguages {
  readonly supported: readonly string[];
  /** The default one. */
  readonly main: string;
  /**
   * The query parameters of every localised route; they parse to a `LanguageChoice`.
   */
  parameters(defaults: LanguageParameterDefaults): LanguageParameters;
}

/** Decides how pages appear in search engines and in the search of the site, for everything that lists pages or names their address. */
export interface ContentIndexing {
  /**
   * The directives for robots: `robots`, `noindex` and `metadata.robots` of the front matter, else
   * `metadata.robots` of `site.yaml`; null without any.
   */
  robots(entry: Pick<PageEntry, "frontmatter">): string | null;
  /**
   * Absolute: `routes.canonical`, else the address of the page in its own language. `pageNumber` (default
   * 1): of the list on the page; further pages have an address of their own.
   */
  canonical(entry: PageEntry, pageNumber?: number): string;
  /** False for a page that search engines must not list: `noindex`, or another canonical address. */
  isIndexed(entry: PageEntry): boolean;
  /** False for a page that is not indexed, or whose front matter says `sitemap: false` in any of its forms. */
  isInSitemap(entry: PageEntry): boolean;
  /** False for a page that the search of the site leaves out: `search: false` in any of its forms. */
  isInSearch(entry: Pick<PageEntry, "frontmatter">): boolean;
}

/**
 * The content tree.
 *
 * @example
 * const content = site.use("content");
 * const view = content.view(); // what an anonymous visitor sees
 * const posts = view.children("/blog");
 
 * const note = { op: "write", path: "notes/today.md", content: "# Today\n" } as const;
 * const [result] = await content.apply([note]);
 */
export interface ContentService extends ContentReads {
  readonly addresses: ContentAddresses;
  readonly indexing: ContentIndexing;
  readonly languages: ContentLanguages;
  /** The redirects that apply, in the order of site.yaml. */
  redirects(): readonly RedirectRule[];
  /** True when its status lets it be public. */
  isPublished(entry: Pick<PageEntry, "published" | "status">): boolean;
  /** True when status and schedule make it public at `now`, Unix ms. */
  isReleased(entry: PageEntry, now: number): boolean;
  /** True when every visitor sees it at any time: no schedule, no roles. */
  isAlwaysPublic(entry: PageEntry): boolean;
  /** The tree as `viewer` sees it (default: anonymous). */
  view(viewer?: Viewer): ContentView;
  /**
   * The whole tree, with the pages that only their authors may see: for checks and tools, not for responses.
   */
  viewAll(moment?: Moment): ContentView;
  /**
   * The content at another moment; the caller checks access.
   * @throws HttpError 400 for a malformed time or commit, 404 for an unknown commit, 422 for one that is too large.
   */
  moment(options: MomentOptions): Promise<Moment>;
  /**
   * The one write path: validate, write atomically, update the index, publish the batch on
   * `site.changes`, then fire the page hooks. Do not await it in a `listen` listener.
   */
  apply(changes: readonly ContentChange[], options?: ApplyOptions): Promise<ContentChangeResult[]>;
  /** Runs `work` as one step, whose changes of files the next start undoes after a kill. */
  asStep<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The page hooks that a batch fires, in order. */
  pageEvents(batch: Pick<ChangeBatch, "changes">): readonly PageEvent[];
  /**
   * The state of all pages. `last`: the state of an earlier tree with the same settings, reused for
   * pages with the same bytes and position.
   */
  treeState(last?: TreeState): TreeState;
  /** The tags that become invalid from one state to the next. */
  changedTags(before: TreeState, after: TreeState): ReadonlySet<string>;
  /**
   * Re-reads files and folders below `content/` that another process has changed, and publishes what differs.
   */
  refresh(paths: readonly string[]): Promise<void>;
  /** Reads pages that were written since, such as by another node: call it before the index decides a response. */
  catchUp(paths: readonly string[]): Promise<void>;
  /**
   * Runs `work`, which changes files, while nothing else writes the tree; then re-reads the paths below
   * `content/` that it returns, and publishes what differs.
   * @throws the error of `work`, or of the lock of all nodes.
   */
  update(work: () => Promise<readonly string[]>): Promise<void>;
  /**
   * Announces pages that a node that died has changed but perhaps not announced, as they are now: batch
   * and page hooks. A changed status is announced as an update.
   */
  announce(changes: readonly MissedChange[]): Promise<void>;
  /** Re-reads everything and swaps the generation; concurrent calls share one run and one that follows. */
  rebuild(): Promise<void>;
  /** Passes the match of a path through the handlers of `onRouteResolved`; resolves with the match to show. */
  matched(req: Request, match: RouteMatch): Promise<RouteMatch>;
  /** Pages that cannot be read, by path, also while their last good version is served. */
  brokenPages(): readonly BrokenPage[];
  /** A page that cannot be read; null for any other path. */
  brokenPage(sourcePath: string): BrokenPage | null;
  /** A page that cannot be read, with its text and the place of its problem; null for any other path. */
  brokenSource(sourcePath: string): Promise<BrokenSource | null>;
  /**
   * The tree as anonymous visitors would see it once another text of a page, existing or not, is published; `entry`: the page to show, above a module. Writes nothing.
   * @throws HttpError 422 for a text or a path that no page can have.
   */
  preview(page: PageText): Promise<{ entry: PageEntry; view: ContentView }>;
  /**
   * The change of front matter that gives a page a status, and takes back what else hides it.
   * @throws HttpError 409 ERR_CONTENT_FIELD_NAME when a key that cannot be read keeps the page off the site.
   */
  releasePatch(
    frontmatter: Readonly<Record<string, unknown>>,
    to: WorkflowStatus,
  ): Record<string, unknown>;
  /** The change of front matter that removes a date of a schedule, under each name in other systems. */
  unschedulePatch(
    frontmatter: Readonly<Record<string, unknown>>,
    name: "publish_date" | "unpublish_date",
  ): Record<string, null>;
  /**
   * The text of exactly the version that an entry describes, read synchronously; null when the file has
   * changed or cannot be read. Then use `source`, which waits for the index.
   */
  version(entry: PageEntry): PageVersion | null;
  /** Absolute path of a media file that may be served; null without one. */
  mediaFile(folder: string, name: string): Promise<MediaFile | null>;
  /** Folders below `content/` that contain files other than pages. */
  mediaFolders(): Iterable<string>;
  /**
   * The problems of this generation and those of media as last read, with fix, and with line and key where known.
   * After startup, all media are read once in the background, later those of folders that change.
   */
  problems(): readonly ContentProblem[];
  /** Problems of the sidecars and names of all media, read now (those of pages are in `generation().problems`). */
  mediaProblems(): Promise<readonly ContentProblem[]>;
  /**
   * The declared route that handles a decoded path before pages do; null when pages handle it.
   * Call it only after all routes are declared.
   */
  claimOf(path: string): string | null;
  /**
   * True when visitors can log in: `auth` in site.yaml, or a plugin that serves `/auth/login`. Call it only after all
   * routes are declared.
   */
  hasLogin(): boolean;
  /** True for the path of a content file: one whose name has the extension of a format. */
  isPage(path: string): boolean;
  /** True for files that the server runs: formats with `runs`, and the modules that they import. */
  isCode(path: string): boolean;
  /**
   * The accounts that own a page, by the ids in the key `owner` of its front matter, or the page that a file is a part
   * of. Null: there is no such page yet. Roles with `pages: own` change only the pages of their account.
   */
  ownersOf(path: string): readonly string[] | null;
  /**
   * Formats by file extension without dot; the markdown plugin registers `md`, `mdx`, `tsx`.
   */
  addFormat(extension: string, options?: FormatOptions): void;
  /** The page types of the site: files in `blueprints/`. */
  readonly blueprints: Blueprints;
  /** Finds the targets that pages name in fields of their blueprints, and the pages that name a page. */
  readonly relations: Relations;
  /** Kinds that fields of blueprints and flex types may have. */
  readonly fieldKinds: FieldKinds;
  /**
   * Adds a kind of fields, in `setup`. @throws ERR_FIELD_KIND when the name is taken or invalid.
   *
   * @example
   * site.use("content").addFieldKind("even", {
   *   control: "number",
   *   check: (value) => (Number(value) % 2 === 0 ? null : { issue: "format", rest: "must be even." }),
   *   jsonSchema: () => ({ type: "integer", multipleOf: 2 }),
   * });
   */
  addFieldKind(name: string, kind: FieldKind): void;
}

declare module "#kernel" {
  interface Services {
    content: ContentService;
    /** JSON Schema for editors of content: of front matter by template, and of blocks by `blocks/{type}`. */
    editorSchemas: EditorSchemas;
  }
}
