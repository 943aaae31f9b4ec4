/** The public contract of themes and HTML pages. */
import type { Request } from "express";
import type { Answer, AnswerCache, NotifyHook, TransformHook } from "#kernel";
import type {
  Collection,
  ContentView,
  MediaItem,
  NavItem,
  PageEntry,
  PageMatch,
} from "../content/contract.js";

/** A component returns any children of Preact, and accepts them between its tags. */
export type ThemeContent = object | string | number | bigint | boolean | null | undefined;
/** A component of a theme; a class of Preact works too. */
export type ThemeComponent = (props: Record<string, unknown>) => ThemeContent;

/** An HTTP request, for callers that render without speaking HTTP themselves. */
export type PageRequest = Request;

/** Props every template receives; some routes add more (search props, flex records). */
export interface TemplateProps {
  /** Null on routes without a page (search, login, errors). */
  page: PageView | null;
  pageTitle: string;
  site: SitePublic;
  config: { site: SitePublic; theme: Readonly<Record<string, unknown>> };
  nav: readonly NavItem[];
  /** Path of the request; `/` on error pages. */
  pathname: string;
  /** Query string with `?`, or empty; empty on error pages. */
  search: string;
  lang: string;
  dir: "ltr" | "rtl";
  translations: readonly { lang: string; url: string }[];
  collection?: CollectionView;
  collections?: Readonly<Record<string, CollectionView>>;
  /**
   * The modules of the page: those that its collection selects with `@self.modules`, else all in tree
   * order. `Modules` of `sitewright/theme` draws them.
   */
  modules: readonly ModuleView[];
  /** The comments of the page; absent for pages without. */
  comments?: CommentsView;
  /** `theme.preset` of site.yaml. */
  preset: Preset;
  /**
   * The pages beside a page of documentation: with preset `docs` the entries of `sidebar.yaml` or the whole
   * tree, else the section of the page.
   */
  sidebar: readonly SidebarItem[];
  /** True when terms, authors and years have pages: `/tag/tea`, `/author/ines`, `/archive`. */
  listings: boolean;
  /** The versions for a switch; empty for pages outside of all `versions` of site.yaml. */
  versions: readonly VersionView[];
  /**
   * The blocks of the page, by the name of their field in its blueprint: `<Modules {...props}
   * items={props.blocks.sections} />`.
   */
  blocks: Readonly<Record<string, readonly ModuleView[]>>;
  themeConfig: Readonly<Record<string, unknown>>;
  t(key: string, fallback?: string): string;
  /** Address of a route, encoded for an attribute: in the page's language, or in `lang`. */
  href(route: string, lang?: string): string;
  /** True when a plugin is selected and running, so that a layout may link to it. */
  hasPlugin(name: string): boolean;
  /**
   * Address of the site's feed in the page's language; null without a feed (`feed.enabled: false`,
   * no plugin feeds).
   */
  feeds: string | null;
  /** URL of a theme asset with its content hash. */
  asset(path: string): string;
  /**
   * Markup that many pages share (header, footer), rendered once while everything in `by` is the
   * same: text and numbers by value, objects and functions by identity. `draw` must depend on
   * nothing else, and is rendered without the contexts around it.
   */
  once(name: string, by: readonly unknown[], draw: () => ThemeContent): ThemeContent;
  /** CSP nonce for inline scripts; a page that reads it is rendered again for each request. */
  nonce(): string;
  /** The logged-in visitor; null for an anonymous one. */
  user: Readonly<Record<string, unknown>> | null;
  siteUser: Readonly<Record<string, unknown>> | null;
  Layout: ThemeComponent;
  /**
   * Markup for `<head>` (canonical, hreflang, feeds, live reload); trusted HTML. The response
   * contains it exactly once, even if the layout omits it.
   */
  head: string;
  [extra: string]: unknown;
}
/** The purpose of a site decides the defaults of the theme. */
export type Preset = "docs" | "blog" | "site";
/** An entry beside a page of documentation. */
export interface SidebarItem {
  title: string;
  /** Null: only the name of a group. */
  url: string | null;
  /** Null for addresses that are no page of the site. */
  route: string | null;
  /** As in `PageLink`. */
  lang?: string;
  items: readonly SidebarItem[];
}
/** A version of a documentation, in a switch. */
export interface VersionView {
  title: string;
  /** The same page in this version, else its first one. */
  url: string;
  isCurrent: boolean;
  isLatest: boolean;
}
/** A module of a page, or a block of its front matter, for its component. */
export interface ModuleView {
  /** The template of a module, the type of a block. */
  name: string;
  /** `title` of its front matter; empty without one. */
  title: string;
  /** The rendered text: the body of a module, the Markdown in `body` of a block. Its ids differ from those of the page and of other modules. */
  html: string;
  /** The front matter of a module, the fields of a block. */
  data: Readonly<Record<string, unknown>>;
  /** As in `PageView`, for these fields. */
  relations: Readonly<Record<string, PageLink | null>>;
  /** The files of a module; those of the page for a block. */
  media: readonly MediaView[];
  /** As in `PageView`. */
  lang: string;
  dir: "ltr" | "rtl";
  fallback: boolean;
  /** The component of the theme that draws it, with `ModuleProps`. */
  Component: ThemeComponent;
}
/** Props of `components/modules/*` and `components/blocks/*`: those of the template, and these. */
export interface ModuleProps extends TemplateProps {
  module: ModuleView;
  /** Level of the first heading: 1 when the module has the heading of the page, else 2. */
  level: 1 | 2;
}
/** Props of template `search` besides the common ones. */
export interface SearchTemplateProps extends TemplateProps {
  searchQuery: string;
  /** The language of the pages it finds; null on a site with one language. */
  searchLang: string | null;
  searchResults: readonly SearchResultView[];
  /** Facet field to value to number of matches. */
  searchFacetCounts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  searchSort: string;
  searchType: string;
  searchHasMore: boolean;
  searchOffset: number;
  searchLimit: number;
  searchTotal: number;
  /** Hits by typo, synonym or stem, which are not among the results. */
  searchSimilar?: readonly SearchResultView[];
  /** The query with its typos corrected; null without typos. */
  searchDidYouMean?: string | null;
}
/** One match, for template `search`. */
export interface SearchResultView {
  route: string;
  title: string;
  date?: string | null;
  /** Escaped HTML with `<mark>` around what matched. */
  excerpt: string;
  type?: string;
  template?: string;
}
/** Props of template `auth/login` besides the common ones. */
export interface LoginTemplateProps extends TemplateProps {
  providers: readonly { name: string; label: string; url: string }[];
  magicLink: { enabled: boolean; action: string };
  /** The script that logs in with passkeys; null: there are none. It shows `[data-passkey-login]`. */
  passkeys: { script: string } | null;
  next: string;
  /** False: the browser drops the cookie of a login, because the page came over plain http. */
  keepsCookie: boolean;
  /** A code (`denied`, `expired`), or null. */
  error: string | null;
  /** A code (`sent`), or null. */
  message: string | null;
}
/** Props of template `auth/account` besides the common ones. */
export interface AccountTemplateProps extends TemplateProps {
  account: { email: string; name: string | null; createdAt: string; providers: readonly string[] };
  /** False: the account is stored only in the session, and its name cannot be changed. */
  isStored: boolean;
  sessions: readonly { id: string; device: string; seen: string; isCurrent: boolean }[];
  /** Null: the site does not offer passkeys. */
  passkeys: {
    items: readonly { id: string; name: string; created: string; used: string | null }[];
    /** Why browsers offer none: the site has an IP address, or is not https. */
    obstacle: "address" | "http" | null;
    isFull: boolean;
    /** The script that adds passkeys: shows and sends the form `[data-passkey-add]`. */
    script: string | null;
  } | null;
  /** Each entry names data that is deleted with the account, or data that is kept, and why. */
  fates: readonly { deleted: string | null; kept: string | null }[];
  /** True: the visitor has just logged in, and may delete the account. */
  isFresh: boolean;
  /** Hidden field `_csrf` of every form. */
  csrf: string;
  /** A code (`saved`, `revoked`, `passkey_added`, `passkey_renamed`, `passkey_removed`), or null. */
  message: string | null;
}
/** A comment in a template. */
export interface CommentView {
  id: string;
  name: string;
  /** ISO 8601. */
  at: string;
  /** Sanitised HTML. */
  html: string;
  /** Address of the form that replies to it; null without one. */
  replyUrl: string | null;
  replies: readonly CommentView[];
}
/** The comments of a page. */
export interface CommentsView {
  items: readonly CommentView[];
  /** Replies included. */
  total: number;
  /** The form: trusted HTML. */
  form: string;
  /** True after a comment was sent that waits for approval. */
  isWaiting: boolean;
}
/** Props of template `form` besides the common ones. */
export interface FormTemplateProps extends TemplateProps {
  heading: string;
  /** A form, or the thanks after it: trusted HTML. */
  html: string;
}
/** Props of template `error` and `errors/…` besides the common ones. */
export interface ErrorTemplateProps extends TemplateProps {
  status: number;
  statusCode: number;
  title: string;
  /** Empty for server errors. */
  message: string;
}
/** Props of templates `flex/list` and `flex/detail` besides the common ones. */
export interface FlexTemplateProps extends TemplateProps {
  /** Name of the type. */
  type: string;
  schema: FlexSchemaView;
  /** The records of one page of a list, newest first. */
  records?: readonly Readonly<Record<string, unknown>>[];
  pageNumber?: number;
  pages?: number;
  prevUrl?: string | null;
  nextUrl?: string | null;
  /** The record, on its own page. */
  record?: Readonly<Record<string, unknown>>;
  /** Field name to the sanitized HTML of its Markdown. */
  recordHtml?: Readonly<Record<string, string>>;
}
/** The properties of a type that flex templates receive. */
export interface FlexSchemaView {
  title: string;
  description: string;
  fields: readonly FlexFieldView[];
}
/** A field of a type; `options` are the choices of a `select`, with their labels. */
export interface FlexFieldView {
  name: string;
  type: string;
  label: string;
  options?: readonly { value: string; label: string }[];
}
/** A field that the blueprint of a page shows, with its value. */
export interface ShownField extends FlexFieldView {
  /** Text, number, boolean, or a list of these; never empty. */
  value: unknown;
  /** The pages that the value names, in its order. */
  links: readonly PageLink[];
}
/** A page in a template. */
export interface PageView {
  route: string;
  url: string;
  title: string;
  navTitle: string;
  date: string | null;
  template: string;
  format: string;
  /** Language of the page and its direction. They match the document, unless `fallback` is true. */
  lang: string;
  dir: "ltr" | "rtl";
  /**
   * True when the page replaces a missing translation: elements with its text need `lang` and
   * `dir`.
   */
  fallback: boolean;
  html: string;
  excerpt: string;
  headings: readonly { level: number; id: string; text: string }[];
  frontmatter: Readonly<Record<string, unknown>>;
  taxonomy: Readonly<Record<string, readonly string[]>>;
  /** Pages that fields of its page type name: `author`, `related.0`. Null: the visitor may not see it. */
  relations: Readonly<Record<string, PageLink | null>>;
  /** The fields that `show` of its blueprint names, without empty ones. */
  shown: readonly ShownField[];
  media: readonly MediaView[];
  /** Absolute canonical URL. */
  canonical: string;
  image: string | null;
  /** The attributes of `image`, when it is a file of the page. */
  imageAttributes: ImageAttributes;
  breadcrumbs: readonly PageLink[];
  /** ISO date of the last change: `updated` of the front matter, else of the last commit in git. */
  changed: string | null;
  /** Address at which the file is edited: `theme.edit_url` of site.yaml. */
  editUrl: string | null;
  /** Address of a generated preview picture with the title. */
  card: string;
  /** The dated siblings before and after this page; computed on call. */
  neighbours(): PageNeighbours;
  /** Author, series and related articles of a page with a date or an author, else null. */
  article(): ArticleView | null;
}
/** An article shows these beside its text. */
export interface ArticleView {
  author: AuthorView | null;
  /** Null without a series; computed on call. */
  series(): SeriesView | null;
  /** Articles that share most terms with it, at most three; computed on call. */
  related(): readonly PageLink[];
}
/** The author of an article. */
export interface AuthorView {
  name: string;
  /** Address of the author's page, or of the list of articles; null without one. */
  url: string | null;
  /** `summary` of the author's page; may be empty. */
  summary: string;
  image: string | null;
  imageAttributes: ImageAttributes;
  /** As in `PageLink`. */
  lang?: string;
}
/** The articles with the same `series` in their front matter, oldest first. */
export interface SeriesView {
  title: string;
  /** Number of this article, from 1. */
  part: number;
  parts: readonly PageLink[];
}
/** A list that no file describes: of a term, of all terms, of an author, or of all years. */
export interface ListingView {
  kind: "term" | "terms" | "author" | "archive";
  /** Name of the taxonomy, or `author`; empty for the archive. */
  name: string;
  /** The term or the author; empty for other lists. */
  value: string;
  terms: readonly { value: string; count: number; url: string }[];
  years: readonly {
    year: string;
    pages: readonly { title: string; url: string; date: string }[];
  }[];
  /** The pages with a term, or by an author. */
  collection?: CollectionView | undefined;
}
/** Props of template `listing` besides the common ones. */
export interface ListingTemplateProps extends TemplateProps {
  listing: ListingView;
}
/** `srcset`, `sizes`, `width` and `height` of an `<img>`; empty when unknown. */
export type ImageAttributes = Readonly<Record<string, string>>;
/** A file of a page; only images have attributes. */
export interface MediaView extends MediaItem {
  readonly attributes: ImageAttributes;
}
/** Dated siblings of a page; null at the ends, and both null for a page without a date. */
export interface PageNeighbours {
  older: PageLink | null;
  newer: PageLink | null;
}
/** A link to a page; `lang` only when the page replaces a missing translation. */
export interface PageLink {
  title: string;
  url: string;
  lang?: string;
}
/** A collection with the data for lists. */
export interface CollectionView extends Omit<Collection, "items"> {
  items: readonly CollectionItemView[];
  /** URLs of the neighbouring pages of a list; null at the ends and without `pagination`. */
  prevUrl: string | null;
  nextUrl: string | null;
}
/** One item of a list. */
export interface CollectionItemView {
  /** As in `PageView`. */
  lang: string;
  dir: "ltr" | "rtl";
  fallback: boolean;
  route: string;
  url: string;
  title: string;
  date: string | null;
  template: string;
  excerpt: string;
  image: string | null;
  /** The attributes of `image`, when it is a file of the page. */
  imageAttributes: ImageAttributes;
  taxonomy: Readonly<Record<string, readonly string[]>>;
  frontmatter: Readonly<Record<string, unknown>>;
  /** The rendered text of a module; absent for pages. */
  html?: string;
}
/** The public site config. */
export interface SitePublic {
  title: string;
  description: string;
  url: string;
  author: { name: string };
  metadata: Readonly<Record<string, string>>;
  taxonomies: readonly string[];
}

/** One theme of the active chain. */
export interface ThemeInfo {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly parent: string | null;
  /** Absolute folder. */
  readonly folder: string;
  /** Origin: the site root, the package, or `theme.src`. */
  readonly origin: "site" | "package" | "source";
}

/** A theme that can be chosen. */
export interface InstalledTheme {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly parent: string | null;
  /** Its main colors, `#rrggbb`. */
  readonly colors: readonly string[];
  /** `config_schema` of its theme.yaml and of its parents: fields by name. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Why it cannot be used; null when it can. */
  readonly problem: string | null;
}
/** An installed theme that is not the active one. */
export interface OtherTheme {
  readonly name: string;
  /** Address below which the files of its `static/` folders are served: `{assetBase}/{theme}/static/…`. */
  readonly assetBase: string;
}
/** A theme and settings of the theme that are not saved. */
export interface ThemeTrial {
  /** Default: the active theme. */
  readonly other?: OtherTheme | undefined;
  readonly preset: Preset;
  /** In place of `theme.custom`. */
  readonly custom: Record<string, unknown>;
}

/** Properties of a page that is rendered from a template. */
export interface TemplateOptions {
  /** Default: 200. */
  status?: number;
  /** A function creates it from the theme's strings, in the language of the page. */
  title?: string | ((t: TemplateProps["t"]) => string);
  /** Tags of the caller's data; without tags the page is not cached. */
  cache?: Pick<AnswerCache, "tags" | "private">;
  /** A path that determines the language of the page; default: that of the request. */
  languageOf?: string;
  /** The view that read the data, so that what it read counts. */
  view?: ContentView;
}
/** How a page entry is rendered. */
export interface PageOptions {
  /** Default: a view of the visitor. */
  view?: ContentView;
  /** Default: the path of the request. */
  path?: string;
  /** A theme and settings that are tried and not saved. */
  trial?: ThemeTrial;
}
/** An error to show as a page. */
export interface PageFailure {
  /** HTTP status. */
  status: number;
  /** Shown to visitors, except for a server error. */
  message: string;
}
/** Contents of a document in the built-in style; `body` and `head` are trusted HTML. */
export interface DocumentOptions {
  title: string;
  body: string;
  /** With a nonce, the style is inline and needs no second request. */
  nonce?: string;
  /** Default: `en`. */
  lang?: string;
  head?: string;
}

/**
 * Themes and HTML pages.
 *
 * @example
 * const render = site.use("render");
 * site.http.use("pages", async (req, res, next) => {
 *   if (req.ctx.path !== "/boats") return next();
 *   const answer = await render.renderTemplate(req, "boats", { boats: ["Aurora"] }, { title: "Boats" });
 *   if (answer) site.http.send(req, res, answer);
 * });
 */
export interface RenderService {
  /** Name of the active theme. */
  readonly theme: string;
  /** Template names of the theme chain and of plugins, sorted. */
  templates(): readonly string[];
  has(template: string): boolean;
  /**
   * The HTML response of a template with further props; null when no theme of the chain has the
   * template. The caller passes the tags of its own data; without tags the page is not cached.
   */
  renderTemplate(
    req: Request,
    template: string,
    props: Readonly<Record<string, unknown>>,
    options?: TemplateOptions,
  ): Promise<Answer | null>;
  /**
   * The HTML response of a page entry, as in the catch-all route. `view` and `path` replace those of the
   * request.
   */
  renderPage(req: Request, match: PageMatch, options?: PageOptions): Promise<Answer>;
  /** Every theme that can be chosen, the configured one first. */
  installed(): Promise<readonly InstalledTheme[]>;
  /** A file of the other theme that `renderPage` has tried last, or of its parents; null: it has none. */
  triedFile(theme: string, path: string): { readonly body: Buffer; readonly type: string } | null;
  /** An error page by template `error` (or `errors/403`), else the built-in one. */
  renderError(req: Request, error: PageFailure): Promise<Answer>;
  /**
   * Activates another theme for all further requests, and fires onThemeSwitch.
   * @throws ERR_THEME_MISSING, ERR_THEME_CYCLE, ERR_THEME_MANIFEST, ERR_THEME_SETTING; the old theme then
   * stays active.
   */
  switchTheme(name: string): Promise<void>;
  /** The loaded chain, the active theme first: names, folders and settings. */
  readonly themes: readonly ThemeInfo[];
  /** Keys of the themes' strings that a language lacks: they are shown in English. */
  missingStrings(lang: string): readonly string[];
  /** The texts of the active theme in a language, for HTML that no template draws. */
  texts(lang: string): TemplateProps["t"];
  /** Adds a folder (absolute) of templates, which follows the theme chain. */
  addTemplates(folder: string): Promise<void>;
  /** Renders a component as a minimal HTML document, for pages without a template in any theme. */
  document(options: DocumentOptions): string;
}

/** A page that is about to be rendered. What is read must be noted in the view. */
export interface PagePropsInput {
  readonly req: Request;
  readonly entry: PageEntry;
  readonly view: ContentView;
  readonly lang: string;
  readonly t: TemplateProps["t"];
}
/** More props of a page. */
export type PageProps = (input: PagePropsInput) => Promise<Readonly<Record<string, unknown>>>;

/** Markup for the `<head>` of a page. */
export type PageHead = (req: Request) => string;

declare module "#kernel" {
  interface Services {
    render: RenderService;
  }
  interface Extensions {
    /**
     * Markup for every page's `<head>`, constant for a request path; the site uses that of all
     * plugins.
     *
     * @example
     * site.extensions.add("pageHead", () => '<link rel="me" href="https://example.com/@me">');
     */
    pageHead: PageHead;
    /**
     * More props of pages, for templates; the site uses those of all plugins.
     *
     * @example
     * site.extensions.add("pageProps", async ({ entry, view }) => {
     *   view.reads.add("tides");
     *   return { tide: entry.route === "/harbour" ? "high" : null };
     * });
     */
    pageProps: PageProps;
  }
  interface HookMap {
    /**
     * Before a template is rendered; a handler may change its props or select another template.
     *
     * @example
     * site.hooks.on("onBeforeRender", ({ data, setData }) => {
     *   if (data.req.ctx.path.startsWith("/print/")) setData({ ...data, template: "print" });
     * });
     */
    onBeforeRender: TransformHook<{
      req: Request;
      page: PageEntry | null;
      template: string;
      props: TemplateProps;
    }>;
    /**
     * When a page has been rendered; a handler may change its HTML.
     *
     * @example
     * site.hooks.on("onAfterRender", ({ data, setData }) => {
     *   setData({ ...data, html: data.html.replace("</body>", "<!-- harbour --></body>") });
     * });
     */
    onAfterRender: TransformHook<{ req: Request; page: PageEntry | null; html: string }>;
    /**
     * After another theme was activated.
     *
     * @example
     * site.hooks.on("onThemeSwitch", ({ data, log }) => log.info("themes.switched", { ...data }));
     */
    onThemeSwitch: NotifyHook<{ from: string; to: string }>;
  }
  interface SiteSettings {
    theme: {
      name: string;
      src: string | null;
      parent: string | null;
      custom: Record<string, unknown>;
      preset: Preset;
      edit_url: string | null;
      last_change: boolean | null;
      listings: boolean | null;
    };
    /** Title to route of the folder, the latest version first. */
    versions: Record<string, string>;
    themes: { name: string; src: string }[];
  }
}
