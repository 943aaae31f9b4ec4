/** The values that templates show: pages, lists, modules, comments, records. */
import type { Collection, MediaItem } from "../../content/contract.js";

/** A component returns any children of Preact, and accepts them between its tags. */
export type ThemeContent = object | string | number | bigint | boolean | null | undefined;

/** A component of a theme; a class of Preact works too. */
export type ThemeComponent = (props: Record<string, unknown>) => ThemeContent;

/** The purpose of a site decides the defaults of the theme. */
export type Preset = "site" | "docs" | "blog" | "portfolio";

/** The public site config. */
export interface SitePublic {
  title: string;
  description: string;
  url: string;
  author: { name: string };
  metadata: Readonly<Record<string, string>>;
  taxonomies: readonly string[];
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

/** A field that the blueprint of a page shows, with its value. */
export interface ShownField extends FlexFieldView {
  /** Text, number, boolean, or a list of these; never empty. */
  value: unknown;
  /** The pages that the value names, in its order. */
  links: readonly PageLink[];
}

/** `srcset`, `sizes`, `width` and `height` of an `<img>`; empty when unknown. */
export type ImageAttributes = Readonly<Record<string, string>>;

/** A file of a page; only images have attributes. */
export interface MediaView extends MediaItem {
  readonly attributes: ImageAttributes;
}

/** A link to a page; `lang` only when the page replaces a missing translation. */
export interface PageLink {
  title: string;
  url: string;
  lang?: string;
}

/** Dated siblings of a page; null at the ends, and both null for a page without a date. */
export interface PageNeighbours {
  older: PageLink | null;
  newer: PageLink | null;
}

/** An article shows these beside its text. */
export interface ArticleView {
  /** The first author. */
  author: AuthorView | null;
  /** Every author, in the order of the front matter. */
  authors: readonly AuthorView[];
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
  /**
   * Address of HTML with the entries that a large tree leaves out here, which `SidebarEntries` of
   * `sitewright/theme` draws; `url` leads to the first of them, or to the page of the group.
   */
  branch?: string;
  /** This entry stands for others of a long list. */
  more?: SidebarMore;
}

/** The entries before or after those of a long list that a page has. */
export interface SidebarMore {
  side: "before" | "after";
  count: number;
  /** Position of the nearest of them in `branch`. */
  at: number;
}

/** The pages before and after a page, in the order of the sidebar; null at the ends. */
export interface AdjacentPages {
  before: PageLink | null;
  after: PageLink | null;
}

/** A version of a documentation, in a switch. */
export interface VersionView {
  title: string;
  /** The same page in this version, else its first one. */
  url: string;
  isCurrent: boolean;
  isLatest: boolean;
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
