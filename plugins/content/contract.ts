/** Public types of the content plugin: entries, pages, views, the write path. */
import type { Request } from "express";
import type { ZodType } from "zod";
import type { Change, ChangeBatch, CreateHook, HookMap, NotifyHook, TransformHook } from "#kernel";
import type { Field, FieldError, FieldKind, FieldKinds, JsonSchema } from "#kernel";
import type { CacheSection, LanguagesSection, RedirectRule } from "./settings.js";

export type { Field, FieldFinding, FieldKind } from "#kernel";
export type { CacheSection, LanguagesSection, RedirectRule };

/**
 * The language of a list. Navigation, children and collections of a page fall back to the default
 * language where a translation is missing; filtered lists do not. `fallback` overrides this. Without a
 * language, the default language is used.
 */
export type LanguageChoice =
  string | { readonly lang?: string | undefined; readonly fallback?: boolean | undefined };

/** The visitor: the only input that decides which parts of the tree are visible. */
export interface Viewer {
  /** Roles of the logged-in visitor; null for an anonymous one. */
  readonly roles: readonly string[] | null;
  /** True for an admin session or token with `pages.read`: unpublished pages too. */
  readonly seesUnpublished: boolean;
  /** True: gated pages stay hidden although unpublished ones are visible (an export with drafts). */
  readonly onlyOpen?: boolean;
  /** Another moment than the present one: its content is seen, unpublished pages of it are not. */
  readonly moment?: Moment;
}

/**
 * Which moment of the content is shown, and to whom. `at`: when schedules are evaluated, a date and time as
 * in front matter; null: now, or the time of the commit. `rev`: id of a commit, at least 7 hexadecimal
 * digits; null: the present files. `opens`: source path of a gated page that is open, `*` for all; null:
 * none. `query`: query string that leads to the moment; links of its pages keep it.
 */
export type MomentOptions = Readonly<
  Record<"at" | "rev" | "opens", string | null> & { query: string }
>;

/** The content at a moment, for reading. */
export interface Moment extends Pick<MomentOptions, "opens" | "query">, ContentReads {
  /** Unix ms at which schedules are evaluated. */
  readonly at: number;
  /** Full id of the commit; null: the present files. */
  readonly commit: string | null;
  /** A media file of the commit with the page it belongs to; null without one, and for the present files. */
  file(folder: string, name: string): Promise<{ bytes: Buffer; entry: PageEntry | null } | null>;
}
/** What the service of the content reads, at another moment. */
type ContentReads = Pick<ContentService, "generation" | "addressIn" | "source" | "media">;

/** Editorial status of a page. */
export type WorkflowStatus = "draft" | "in_review" | "published" | "archived";

/** Rule of front matter `roles`: every role of `all`, or one of `any`; empty lists: any visitor logged in. */
export type RolesRule = Readonly<Record<"all" | "any", readonly string[]>>;

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

/** A loaded page. */
export interface Page {
  readonly entry: PageEntry;
  /** The source with front matter. */
  readonly raw: string;
  /** The source without front matter. */
  readonly body: string;
  readonly media: readonly MediaItem[];
  /** True for text that is not saved now: it is rendered without being cached, and marked with its lines. */
  readonly isPreview?: true;
  /** With text of a commit: what it refers to. Such text is not marked with its lines. */
  readonly moment?: Moment;
}

/** The text of one version of a page. */
export type PageVersion = Pick<Page, "raw" | "body">;

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
  /** What to do about it. */
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
export type BrokenPlace = Pick<ContentProblem, "code" | "message" | "line" | "key" | "fix"> & {
  readonly column?: number;
};
/** A broken page with its text; `raw` is null for a file that is not UTF-8 text, or is too large. */
export type BrokenSource = BrokenPage & { readonly raw: string | null };

/**
 * How the path of a new page is derived from its front matter. `slug`: name of the field from which the
 * segment is made; `prefix`: the page's day as its number, `20270601.`, or the next number of the folder.
 */
export type PageNaming = Readonly<{ slug: string; prefix: "none" | "number" | "date" }>;

/** A page type: the front matter of pages with one template. */
export interface Blueprint {
  /** Name of the template and of the file without extension. */
  readonly name: string;
  /** Display text; the name when the file has none. */
  readonly title: string;
  /** Theme template that draws the pages; the name when the file has none. */
  readonly template: string;
  /** Fields of the front matter, inherited ones first. */
  readonly fields: readonly Field[];
  /** Templates of the pages directly below; null: any. */
  readonly children: readonly string[] | null;
  /** Templates of the page directly above; null: any. */
  readonly parents: readonly string[] | null;
  /** Status of new pages; null: the site's default. */
  readonly status: WorkflowStatus | null;
  /** Null: the path is chosen with each new page. */
  readonly naming: PageNaming | null;
  /** Columns of lists of these pages: names of fields, or keys of a page such as `date`. */
  readonly columns: readonly string[];
  /** Names of the fields that themes show with the text of a page. */
  readonly show: readonly string[];
}

/** A page to be created. `parent`: route of the page above; `/` for the top. */
export type NewPage = Readonly<{ parent: string; template: string; frontmatter: FieldValues }>;

/**
 * A type of blocks, for fields of kind `blocks`. `name`: the `type` of its blocks, and the name of the
 * file without extension.
 */
export type BlockType = Readonly<{ name: string; label: string; fields: readonly Field[] }>;

/** Values by field, as front matter has them. */
type FieldValues = Readonly<Record<string, unknown>>;
/** A file as its page type describes it. */
type DescribedFile = { blueprint: Blueprint | undefined; frontmatter: FieldValues };

/**
 * The page types of a site. Files that change are read again while the site runs.
 *
 * @example
 * const { blueprints } = site.use("content");
 * const names = blueprints.of("post")?.fields.map(({ name }) => name) ?? [];
 * site.log.info("post.fields", { names, version: blueprints.version });
 */
export interface Blueprints {
  /** The page type of a template; undefined: pages with it have free front matter. */
  of(template: string): Blueprint | undefined;
  /** All page types, by name. */
  list(): readonly Blueprint[];
  /** All types of blocks, by name. */
  blocks(): readonly BlockType[];
  /** Problems of the files: path below the site root, line and key. */
  readonly problems: readonly ContentProblem[];
  /** Grows whenever the files change in meaning; everything that was cached is then dropped. */
  readonly version: number;
  /** What does not fit in an indexed page, with line, key and value. */
  violations(entry: PageEntry): Promise<readonly ContentProblem[]>;
  /**
   * A free path for a new page, by the naming of its page type; without one its title is the segment.
   * @throws HttpError 400 for a parent that does not exist, 422 without a value to name it by.
   */
  newPath(page: NewPage): string;
  /** The `date` of a page of a type that is published at a time (Unix ms); null when the type has no such field. */
  dateAt(template: string, time: number): string | null;
  /** The page type and the front matter that a file of this text would have at this path. */
  describe(path: string, text: string): DescribedFile;
}

/** Something that a page names in a field of kind `page`, `record`, `media`, … */
export interface Relation {
  /** Name of the field, with the way to a nested one: `steps.2.author`. */
  readonly field: string;
  /** What it is: `page`, `record`, `media`, `user`. */
  readonly target: string;
  /** As written: of a page its source folder below `content/` without order numbers. */
  readonly key: string;
  /** The page, in the language of the one that names it if there is one; null for other targets. */
  readonly entry: PageEntry | null;
  /** The page whose file a `media` relation names by key; null for files of the page itself and other targets. */
  readonly owner: PageEntry | null;
  /** The file below `content/` that a `media` relation names; null when its page does not exist, and for other targets. */
  readonly file: string | null;
  /** The types that the field allows; empty: any. */
  readonly of: readonly string[];
}
/** A page that names another one. */
export type BackReference = Pick<Relation, "field"> & { readonly entry: PageEntry };
/** Whether a key of a target exists; `of`: the types that a field allows, empty: any. */
export type TargetExists = (key: string, of: readonly string[]) => boolean | Promise<boolean>;
/** Values of a page or record whose fields may be relations. */
export interface RelationValues {
  readonly fields: readonly Field[];
  readonly values: FieldValues;
  /** Language of the pages that they name. */
  readonly lang: string;
  /** Folder below `content/` whose files are named without a path. Absent: none. */
  readonly folder?: string;
  /** The values before a change: accounts that they name already may be missing. */
  readonly before?: FieldValues | null;
}
/**
 * Relations in both directions, as blueprints declare them. Unpublished and gated pages are included:
 * ask a view what a visitor may see.
 *
 * @example
 * const content = site.use("content");
 * const author = content.generation().at("/authors/ines", "en");
 * const posts = author ? content.relations.referencedBy(author) : [];
 * site.log.info("author.posts", { routes: posts.map(({ entry }) => entry.route) });
 */
export interface Relations {
  /** What a page names, in the order of its fields. */
  of(entry: PageEntry): readonly Relation[];
  /** The pages that name a page, in tree order; found once per generation. */
  referencedBy(entry: PageEntry): readonly BackReference[];
  /** The key by which relations name a page; all its languages share it. */
  keyOf(entry: PageEntry): string;
  /** What values name, in the order of their fields: for records, as `of` for pages. */
  named(given: RelationValues): readonly Relation[];
  /** The values to change when pages move; null: none. `pathAfter` maps source paths. */
  moved(given: RelationValues, pathAfter: (path: string) => string): FieldValues | null;
  /**
   * How to find out, in `setup`, whether something of a target exists; `of` are the types that a field
   * allows, empty: any. Without it every key is accepted.
   */
  addTarget(target: string, exists: TargetExists): void;
  /** What values name in vain: it does not exist, or their fields do not allow it. */
  missing(given: RelationValues): Promise<readonly FieldViolation[]>;
}

/**
 * JSON Schema for editors of content.
 *
 * @example
 * const names = Object.keys(site.use("editorSchemas").all());
 * site.log.info("schemas.listed", { names });
 */
export interface EditorSchemas {
  all(): Readonly<Record<string, JsonSchema>>;
}

/** What does not fit in a page. */
export type FieldViolation = Pick<FieldError, "field" | "message">;

/** An immutable state of the whole tree. */
export interface Generation {
  /** Counts up with each change. */
  readonly id: number;
  /** Every indexed page, in tree order, unpublished and gated ones too. */
  readonly entries: readonly PageEntry[];
  readonly bySource: ReadonlyMap<string, PageEntry>;
  readonly problems: readonly ContentProblem[];
  /** The entry at a route in a language (no fallback). */
  at(route: string, lang: string): PageEntry | undefined;
}

/** A node of the navigation. */
export interface NavItem {
  route: string;
  /** Address of the route in the navigation's language, percent-encoded. */
  url: string;
  title: string;
  /** Null for a page without an order: it comes last. */
  order: number | null;
  depth: number;
  template: string;
  /** With `fallback`: the language of the page that replaces a missing translation. */
  lang?: string;
  fallback?: true;
  children?: NavItem[];
}

/** The page of a request path; `lang` is the language of the path. */
export interface PageMatch {
  kind: "page";
  entry: PageEntry;
  lang: string;
  pageNumber: number;
}
/** The result of resolving a request path. */
export type RouteMatch =
  | PageMatch
  /**
   * `page` is set when the page exists and `to` is its canonical address. `search`: the part of the
   * query that `to` gets, without the parameters that the redirect matched; absent: the whole query.
   */
  | { kind: "redirect"; to: string; status: 301 | 302; page?: PageMatch; search?: string }
  | { kind: "gated"; entry: PageEntry; lang: string; need: "login" | "role" }
  | { kind: "none" };

/** A collection query (front matter `collection`, REST `/api/collections`). */
export interface CollectionQuery {
  /** `@self.children`, `@page.children`, `@taxonomy.tag`, `@flex`, `@frontmatter`, … with its value. */
  items: Readonly<Record<string, unknown>> | string;
  filter?: Readonly<Record<string, unknown>>;
  order?: { by?: string; dir?: "asc" | "desc" };
  limit?: number;
  offset?: number;
  pagination?: { size: number } | null;
  /** Default: the language of the page that defines the collection. */
  lang?: string;
  /** Show pages of the default language where a translation is missing; default true. */
  fallback?: boolean;
}
/** An item of a collection: a page entry, or a row of another source shaped like one. */
export type CollectionItem = PageEntry;
/** A resolved collection. `total` counts before slicing. */
export interface Collection {
  readonly items: readonly CollectionItem[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
}

/** Filters of a page list. */
export interface ListQuery {
  template?: string;
  /** false lists unpublished pages, but only for viewers with access to them. */
  published?: boolean;
  taxonomy?: Readonly<Record<string, string>>;
  order?: { by: "date" | "title" | "order" | "route"; dir: "asc" | "desc" };
  lang?: string;
  /** Show pages of the default language where a translation is missing; default false. */
  fallback?: boolean;
  offset: number;
  limit: number;
}

/**
 * The tree as one viewer sees it: the single visibility gate. Every method records its dependencies
 * in `reads`, so that a response knows what it was rendered from.
 */
export interface ContentView {
  readonly viewer: Viewer;
  readonly reads: Set<string>;
  /** True once something was seen that an anonymous visitor would not see. */
  readonly personal: boolean;
  /** Unix ms at which the schedule shows or hides a page read so far; null: never. */
  readonly expiresAt: number | null;
  canSee(entry: PageEntry): boolean;
  /**
   * Resolves a request path (decoded, with language prefix): home, aliases, redirects, `/page:2`. Only
   * redirects with a query, such as `/?p=12`, depend on `search` (raw, without `?`).
   */
  resolve(path: string, search?: string): RouteMatch;
  /** The visible page at a route, with fallback to the default language. */
  page(route: string, lang?: string): PageEntry | undefined;
  list(query: ListQuery): { items: readonly PageEntry[]; total: number };
  /** Every listed page, by route: the same array until the tree, or what the viewer may see, changes. */
  all(query: Pick<ListQuery, "published" | "lang" | "fallback">): readonly PageEntry[];
  /**
   * True for a page that belongs in lists, search, feeds and sitemaps: the viewer may see it, it has a
   * route, and its address does not redirect.
   */
  isListed(entry: PageEntry): boolean;
  children(route: string, language?: LanguageChoice): readonly PageEntry[];
  /**
   * The visible modules of a page, in tree order; of the default language where a translation is
   * missing. None for a page that the viewer cannot see.
   */
  modules(page: PageEntry): readonly PageEntry[];
  /** Limits how long what was read stays valid: `expiresAt` is at most `time` (Unix ms). */
  expireAt(time: number): void;
  nav(language?: LanguageChoice): readonly NavItem[];
  /** The same pages as a tree: `children` on every item; pages of hidden parents move up. */
  navTree(language?: LanguageChoice): readonly NavItem[];
  /** Name to value to number of visible pages. */
  taxonomies(language?: LanguageChoice): Readonly<Record<string, Readonly<Record<string, number>>>>;
  taxonomyPages(name: string, value: string, language?: LanguageChoice): readonly PageEntry[];
  /** Resolves a collection for a page (`self` null: the home page). @throws ERR_COLLECTION_SOURCE */
  collection(query: CollectionQuery, self: PageEntry | null, page?: number): Promise<Collection>;
  /** Source, body and media of a visible page; media discovery fires onMediaDiscovered. */
  load(entry: PageEntry): Promise<Page>;
  /** The languages in which this page is shown: its own, and those where it replaces a missing translation. */
  readers(entry: PageEntry): readonly string[];
  /** All languages of the page, its own included; empty on a site with one language. */
  translations(entry: PageEntry): readonly { lang: string; url: string; entry: PageEntry }[];
}

/** A file, and the page of its folder. */
type MediaFile = { file: string; entry: PageEntry | null };

/**
 * What the author of a change does: to a page `create`, `update`, `delete`; to a media file or its sidecar
 * `upload`, `remove`; `publish` what the public sees, or will see; write `code` that the server runs; write a
 * `record`.
 */
export type WriteAction =
  "create" | "update" | "delete" | "upload" | "remove" | "publish" | "code" | "record";

/** The rights of the author of changes. The write paths of pages and records decide with them. */
export interface WriteRights {
  /**
   * Why the author may not do this, as a sentence for the error; null: allowed. `path` is below the content
   * folder; null for records.
   */
  refuse(action: WriteAction, path: string | null): string | null;
  /**
   * The keys of front matter, sidecars and records that may change, and `body` for the text of a page; any
   * other change is ERR_CONTENT_LIMITED. Null: all.
   */
  readonly fields: readonly string[] | null;
}

/** What changes of every kind may have. */
interface ChangeBase {
  /** Below the content folder. */
  path: string;
  /**
   * True: the change follows from the others, such as a link to a page that moves. It is made with the rights of the
   * server, not of the author.
   */
  asServer?: boolean;
}
/** One change of the write path; paths are relative to the content folder. */
export type ContentChange =
  | (ChangeBase & {
      op: "write";
      content: string | Buffer;
      /** Merged into the front matter of `content` before it is written. */
      patch?: Readonly<Record<string, unknown>>;
      ifHash?: string;
      /** True: ERR_CONTENT_EXISTS when there is a file. */
      isNew?: boolean;
      /** True: fields without a value get the defaults of a new page, and the date of a first publication. */
      fillsIn?: boolean;
      /** True: also a text that cannot be read as a page, such as that of a deleted page that is restored. */
      mayBeBroken?: boolean;
    })
  | (ChangeBase & { op: "delete"; ifHash?: string })
  | (ChangeBase & {
      op: "frontmatter";
      patch: Readonly<Record<string, unknown>>;
      ifHash?: string;
      /** True: fields without a value get the defaults of a new page, and the date of a first publication. */
      fillsIn?: boolean;
    })
  | (ChangeBase & { op: "move"; to: string });
/** The result of a change. */
export interface ContentChangeResult {
  op: ContentChange["op"];
  path: string;
  status: "created" | "updated" | "deleted" | "moved" | "skipped" | "error";
  errors: string[];
  /** `ERR_CONTENT_…` when the status is `error`. */
  code?: string;
  /** With ERR_CONTENT_INVALID: what does not fit the page's blueprint. */
  validationErrors?: readonly FieldViolation[];
  /** Digest of the current file: after a write, and with ERR_CONTENT_CONFLICT. */
  hash?: string;
  /**
   * True when the change lets more people see a page or its media, now or later: by
   * status, dates, `roles` or path. Absent for files that are not pages.
   */
  publishes?: boolean;
  /** With `texts`: the file before and after; null: it is missing, or not text. */
  texts?: { readonly before: string | null; readonly after: string | null };
}
/** Author and mode of a change. */
export interface ApplyOptions {
  /** For history, git and audit. */
  actor?: { id: string; name: string; email: string } | null;
  /** Returns the same results but writes nothing. */
  dryRun?: boolean;
  /**
   * The rights of the author: `site.use("admin").rightsOf(identity)`. What they do not allow is rejected with
   * ERR_CONTENT_FORBIDDEN, ERR_CONTENT_AUDIENCE (publishing) or ERR_CONTENT_LIMITED (fields). Absent: the site's own
   * work, which may do everything.
   */
  rights?: WriteRights;
  /** Dry runs only: results have the texts before and after. */
  texts?: boolean;
  /**
   * False writes pages that do not fit their blueprint, for changes that their authors did not make,
   * such as links rewritten by a move. Default true: ERR_CONTENT_INVALID.
   */
  validate?: boolean;
  message?: string;
}

/**
 * A file that `apply` wrote, moved or deleted, as the change feed has it. `bytes` is null for a move, and
 * after delivery of the batch: the feed does not retain file contents.
 */
export type FileState = { readonly bytes: Buffer | null };

/** A collection source that is not the tree's own (`@flex`). */
export type CollectionSource = (value: unknown, view: ContentView) => Promise<Items> | Items;
/** What a collection lists, in order. */
type Items = readonly CollectionItem[];

/** The hooks about pages. */
export type PageHook = "onPageCreate" | "onPageUpdate" | "onPageDelete" | "onWorkflowChange";
/** The payload of one page hook. */
export type PageEvent = { [N in PageHook]: { hook: N; data: HookMap[N]["data"] } }[PageHook];

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
/** The languages of the site. */
export interface ContentLanguages {
  readonly supported: readonly string[];
  /** The default one. */
  readonly main: string;
  /**
   * The query parameters of every localised route; they parse to a
   * `LanguageChoice`. `fallback` is the default of its parameter.
   */
  parameters(defaults: { fallback: boolean }): LanguageParameters;
}

/** What pages tell search engines and the search of the site, for everything that lists pages for them or names their address. */
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
 * const posts = view.children("/blog").map(({ title, url }) => ({ title, url }));
 * const actor = { id: "bot", name: "Bot", email: "bot@example.com" };
 * const note = { op: "write", path: "notes/today.md", content: "# Today\n" } as const;
 * const [result] = await content.apply([note], { actor, message: "Daily note" });
 */
export interface ContentService {
  readonly addresses: ContentAddresses;
  readonly indexing: ContentIndexing;
  readonly languages: ContentLanguages;
  generation(): Generation;
  /** The redirects that apply, in the order of site.yaml: one list for the server, exports and checks. */
  redirects(): readonly RedirectRule[];
  /** The tree as `viewer` sees it (default: anonymous). */
  view(viewer?: Viewer): ContentView;
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
  /** The page hooks that a batch of the change feed fires, in order. */
  pageEvents(batch: Pick<ChangeBatch, "changes">): readonly PageEvent[];
  /**
   * The state of all pages. `last`: the state of an earlier tree with the same settings, reused for
   * pages with the same bytes and position.
   */
  treeState(last?: TreeState): TreeState;
  /** The tags that become invalid from one state to the next: those that `site.changes` publishes. */
  changedTags(before: TreeState, after: TreeState): ReadonlySet<string>;
  /**
   * Re-reads files and folders that another process has changed, by their paths below `content/`, and
   * publishes what differs as found on the disk.
   */
  refresh(paths: readonly string[]): Promise<void>;
  /**
   * Runs `work`, which changes files, while nothing else writes the tree; then re-reads the paths below
   * `content/` that it returns, and publishes what differs as found on the disk.
   * @throws the error of `work`, or of the lock of all nodes.
   */
  update(work: () => Promise<readonly string[]>): Promise<void>;
  /**
   * Announces pages that a node that died has changed but perhaps not announced, as they are now: batch
   * and page hooks. A changed status is announced as an update.
   */
  announce(changes: readonly { op: Change["op"]; sourcePath: string }[]): Promise<void>;
  /** Re-reads everything and swaps the generation; concurrent calls share one run and one that follows. */
  rebuild(): Promise<void>;
  /** What a request shows after the handlers of `onRouteResolved`, from what its path resolves to. */
  matched(req: Request, match: RouteMatch): Promise<RouteMatch>;
  /** The address of a page in a language: its translation, else the page that replaces it. */
  addressIn(entry: PageEntry, lang: string): string;
  /**
   * A source file by its path below `content/` (a leading `content/` is removed). Entry and text are of
   * the same version; null when not indexed.
   * @throws HttpError 503 when the file cannot be read at the moment.
   */
  source(sourcePath: string): Promise<Page | null>;
  /** Pages that cannot be read, by path; also those whose last good version is served. */
  brokenPages(): readonly BrokenPage[];
  /** A page that cannot be read; null for any other path. */
  brokenPage(sourcePath: string): BrokenPage | null;
  /** A page that cannot be read, with its text and the place of its problem; null for any other path. */
  brokenSource(sourcePath: string): Promise<BrokenSource | null>;
  /**
   * The tree as anonymous visitors would see it with another text of a page, existing or not, once that
   * is published; `entry` is the page to show, that of a module the page above it. Writes nothing.
   * @throws HttpError 422 for a text or a path that no page can have.
   */
  preview(page: { path: string; text: string }): Promise<{ entry: PageEntry; view: ContentView }>;
  /**
   * The change of front matter that gives a page a status, and takes back what else hides it.
   * @throws HttpError 409 ERR_CONTENT_FIELD_NAME when a key that cannot be read keeps the page off the site.
   */
  releasePatch(
    frontmatter: Readonly<Record<string, unknown>>,
    to: WorkflowStatus,
  ): Record<string, unknown>;
  /** The change of front matter that removes a date of a schedule, under each name that it has in other systems. */
  unschedulePatch(
    frontmatter: Readonly<Record<string, unknown>>,
    name: "publish_date" | "unpublish_date",
  ): Record<string, null>;
  /**
   * The text of exactly the version that an entry describes, read synchronously; null when the file has
   * changed or cannot be read. Then use `source`, which waits for the index.
   */
  version(entry: PageEntry): PageVersion | null;
  /** Absolute path of a servable media file, checked against the root and links; null without one. */
  mediaFile(folder: string, name: string): Promise<MediaFile | null>;
  /** Media of a folder, with sidecars. */
  media(folder: string): Promise<readonly MediaItem[]>;
  /**
   * Folders below `content/` that contain files other than pages, as found at startup or by the last
   * full scan.
   */
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
   * Formats by file extension without dot; the markdown plugin registers `md`, `mdx`, `tsx`. `runs`: the server runs
   * code in such files, so that writing them needs the right `code`.
   */
  addFormat(extension: string, options?: { readonly runs?: boolean | undefined }): void;
  /** The page types of the site: files in `blueprints/`. */
  readonly blueprints: Blueprints;
  /** What pages name in fields of their blueprints, and what names them. */
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

/** The state of a page in a tree, as short digests of what lists, navigation and terms show of it. */
export type PageState = readonly [
  bytes: string,
  /** Day of its last change, for sitemaps. */
  day: number,
  standing: string,
  metadata: string,
  navigation: string,
  terms: string,
  /** Tags of its position: the list of its parent, its routes. */
  places: readonly string[],
];
/** Source path to state; it may be stored as JSON, to be compared by a later process. */
export type TreeState = ReadonlyMap<string, PageState>;

/** What changed between two generations. */
export interface ContentChanges {
  generation: number;
  created: readonly PageEntry[];
  updated: readonly PageEntry[];
  deleted: readonly PageEntry[];
  /**
   * Invalidated read tags: `page:…`, `route:…` and `media:…` for single items, `list:…` for a page's
   * children, `list` for all, `nav`, `taxonomy`; `modified` for the days on which pages changed.
   */
  tags: ReadonlySet<string>;
}

/** Section `content` of system.yaml. */
export interface ContentSection {
  dir: string;
  /** `poll`: for network file systems that send no events. */
  watch: "events" | "poll";
}

/** The names of the templates of the active theme. */
export type TemplateNames = () => readonly string[];
/** The redirects that apply, from those of the configuration; the same object until they change. */
export type Redirects = (configured: Addresses) => Addresses;
/** Addresses by address: where each leads. */
type Addresses = Readonly<Record<string, string>>;
/** The route that answers a decoded path before pages do; null for other paths. */
export type RouteClaim = (path: string) => string | null;
/** Prepares the content folder before it is read for the first time. */
export type PrepareContent = () => Promise<void>;
/** Why nothing may be written to a path below `content/` at the moment; null: it may. */
export type WriteGuard = (path: string) => string | null;
/** The current problems of files that a plugin reads itself; paths are below the site root. */
export type PluginProblems = () => readonly ContentProblem[];
/** A folder below the site root that a plugin reads itself; `read`: true when something differs. */
export type RootFolder = { readonly folder: string; read(): Promise<boolean> };
/** Sources of collections by their key, which begins with `@`. */
export interface CollectionSources extends Readonly<Record<string, CollectionSource>> {}

declare module "#kernel" {
  interface ChangeKinds {
    /**
     * A page of the tree, by source path. `create` and `delete` are those of its file: a page whose file
     * cannot be read for a while is updated from and to null. `before` and `after` are the same entry
     * when a scheduled page appears or disappears.
     */
    page: PageEntry;
    /** A file that `apply` wrote, by its path below the content folder; of a moved folder the folder. */
    file: FileState;
  }
  interface Services {
    content: ContentService;
    /** JSON Schema for editors of content: of front matter by template, and of blocks by `blocks/{type}`. */
    editorSchemas: EditorSchemas;
  }
  interface Extensions {
    /**
     * The template names of the active theme, which decide the folder pages.
     *
     * @example
     * site.extensions.add("templateNames", () => ["default", "post", "gallery"]);
     */
    templateNames: TemplateNames;
    /**
     * Sources of collections by their key, which begins with `@`; the site uses those of all plugins.
     *
     * @example
     * site.extensions.add("collectionSources", {
     *   "@recent": (value, view) => {
     *     const order = { by: "date", dir: "desc" } as const;
     *     return view.list({ order, offset: 0, limit: Number(value) }).items;
     *   },
     * });
     */
    collectionSources: CollectionSources;
    /**
     * Problems of files that the plugin reads itself, which the site reports with those of the content;
     * paths are below the site root.
     *
     * @example
     * const found = { code: "ERR_MENU_ITEM", message: "the item has no title", line: 3 };
     * site.extensions.add("pluginProblems", () => [
     *   { ...found, sourcePath: "menus/main.yaml", severity: "error" },
     * ]);
     */
    pluginProblems: PluginProblems;
    /**
     * A folder of the site root whose files the plugin reads itself; it may be created later. `read` is called
     * when the site is ready and after each change; it returns true when something differs.
     *
     * @example
     * site.extensions.add("rootFolders", {
     *   folder: "menus",
     *   read: async () => {
     *     site.log.info("menus.changed");
     *     return true;
     *   },
     * });
     */
    rootFolders: RootFolder;
    /**
     * Changes the configured redirects while the site runs: returns those that apply, the same object until
     * they change. Those of all plugins apply, in their order.
     *
     * @example
     * const moved = { "/old": "/new" };
     * let last = { from: {}, to: {} };
     * site.extensions.add("redirects", (configured) => {
     *   if (last.from !== configured) last = { from: configured, to: { ...configured, ...moved } };
     *   return last.to;
     * });
     */
    redirects: Redirects;
    /**
     * Work on the content folder that the first reading waits for, such as a first download.
     *
     * @example
     * import { cp } from "node:fs/promises";
     * site.extensions.add("prepareContent", () =>
     *   cp("/srv/master", site.paths.content, { recursive: true }),
     * );
     */
    prepareContent: PrepareContent;
    /**
     * Rejects writes of paths below `content/`, with the reason, or null: the change results in
     * ERR_CONTENT_CONFLICT. The site asks all plugins.
     *
     * @example
     * site.extensions.add("writeGuards", (path) =>
     *   path.startsWith("legal/") ? "legal texts are changed by the lawyers only" : null,
     * );
     */
    writeGuards: WriteGuard;
    /**
     * Names the route that answers a decoded path before pages do, or null, so that hidden pages are
     * reported; the site asks all plugins.
     *
     * @example
     * site.extensions.add("routeClaims", (path) => (path.startsWith("/shop/") ? "/shop/*path" : null));
     */
    routeClaims: RouteClaim;
  }
  interface RequestState {
    /** Set by authentication; absent: anonymous. */
    viewer?: Viewer;
  }
  interface HookContextExtras {
    /** The tree as an anonymous visitor sees it; undefined until the index is ready. */
    readonly content: ContentView | undefined;
  }
  interface HookMap {
    /**
     * At startup, when all pages are indexed.
     *
     * @example
     * site.hooks.on("onContentIndexReady", ({ data, log }) => {
     *   const drafts = data.generation.entries.filter(({ status }) => status === "draft");
     *   log.info("drafts.counted", { drafts: drafts.length });
     * });
     */
    onContentIndexReady: CreateHook<{ generation: Generation }>;
    /**
     * When a page is loaded, before its media are used.
     *
     * @example
     * site.hooks.on("onMediaDiscovered", ({ data, setData }) => {
     *   setData({ ...data, media: data.media.filter(({ name }) => !name.endsWith(".psd")) });
     * });
     */
    onMediaDiscovered: TransformHook<{ media: readonly MediaItem[]; page: PageEntry }>;
    /**
     * When a page has been loaded, with its source and its media.
     *
     * @example
     * site.hooks.on("onPageLoaded", ({ data, setData }) => {
     *   const body = data.page.body.replaceAll("{year}", String(new Date().getFullYear()));
     *   setData({ page: { ...data.page, body } });
     * });
     */
    onPageLoaded: TransformHook<{ page: Page }>;
    /**
     * When the pages of a collection are known, before a template shows them.
     *
     * @example
     * site.hooks.on("onCollectionResolved", ({ data, setData }) => {
     *   const items = data.collection.items.filter(({ visible }) => visible);
     *   setData({ ...data, collection: { ...data.collection, items } });
     * });
     */
    onCollectionResolved: TransformHook<{ query: CollectionQuery; collection: Collection }>;
    /**
     * When the page of a request path is known, before it is rendered.
     *
     * @example
     * site.hooks.on("onRouteResolved", ({ data, setData }) => {
     *   if (data.match.kind !== "none" || !data.req.ctx.path.startsWith("/old/")) return;
     *   setData({ ...data, match: { kind: "redirect", to: "/archive", status: 301 } });
     * });
     */
    onRouteResolved: TransformHook<{ req: Request; match: RouteMatch }>;
    /**
     * After the tree has changed, once per generation of the index.
     *
     * @example
     * site.hooks.on("onRebuild", ({ data, log }) => {
     *   log.info("notes.rebuilt", { created: data.created.length, deleted: data.deleted.length });
     * });
     */
    onRebuild: NotifyHook<ContentChanges>;
    /**
     * After a page was created, by the site or on the disk.
     *
     * @example
     * site.hooks.on("onPageCreate", async ({ data }) => {
     *   const email = site.use("email");
     *   await email.send({ to: "editor@example.com", subject: `New: ${data.title}`, text: data.sourcePath });
     * });
     */
    onPageCreate: NotifyHook<{ sourcePath: string; title: string }>;
    /**
     * After a page has changed.
     *
     * @example
     * site.hooks.on("onPageUpdate", ({ data, log }) => log.info("notes.updated", { ...data }));
     */
    onPageUpdate: NotifyHook<{ sourcePath: string; title: string }>;
    /**
     * After a page was deleted.
     *
     * @example
     * site.hooks.on("onPageDelete", ({ data, log }) => log.warn("notes.deleted", { ...data }));
     */
    onPageDelete: NotifyHook<{ sourcePath: string }>;
    /**
     * After the status of a page has changed.
     *
     * @example
     * site.hooks.on("onWorkflowChange", ({ data, log }) => {
     *   if (data.to === "in_review") log.info("review.requested", { path: data.sourcePath });
     * });
     */
    onWorkflowChange: NotifyHook<{ sourcePath: string; from: WorkflowStatus; to: WorkflowStatus }>;
  }
  interface SiteSettings {
    taxonomies: string[];
    routes: Record<string, string>;
    redirects: Record<string, string>;
    redirect_status: 301 | 302;
    home: string | null;
  }
  interface SystemSettings {
    content: ContentSection;
    cache: CacheSection;
    languages: LanguagesSection;
  }
}
