/** The props of each template of a theme. */
import type { NavItem } from "../../content/contract.js";
import type {
  AdjacentPages,
  CollectionView,
  CommentsView,
  FlexSchemaView,
  ListingView,
  ModuleView,
  PageView,
  Preset,
  SearchResultView,
  SidebarItem,
  SitePublic,
  ThemeComponent,
  ThemeContent,
  VersionView,
} from "./views.js";

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
  /** Look of the theme, with tokens in its `static/looks/{look}.css`; null for its first look, or a theme without looks. */
  look: string | null;
  /**
   * The pages beside a page of documentation: with preset `docs` the entries of `sidebar.yaml` or the whole
   * tree, else the section of the page. Of more than 200 entries only those around the page; `SidebarEntries`
   * of `sitewright/theme` draws them, and the way to the others.
   */
  sidebar: readonly SidebarItem[];
  /** The previous and the next page of the sidebar. */
  adjacent: AdjacentPages;
  /** True when terms, authors and years have pages: `/tag/tea`, `/author/ines`, `/archive`. */
  listings: boolean;
  /**
   * Address of the list of all terms of a taxonomy, of one term, or of all years (`archive`), in the page's language
   * or in `lang`; null for a list that would be empty, and without such pages.
   */
  listingUrl(name: string, term?: string, lang?: string): string | null;
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

/** Props of template `listing` besides the common ones. */
export interface ListingTemplateProps extends TemplateProps {
  listing: ListingView;
}
