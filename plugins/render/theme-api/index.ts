/**
 * The module `sitewright/theme` for themes (`#theme` in this package): components, helpers, types.
 */
export { cx, fitImages, Html, lowerHeadings, Modules, Picture } from "./components.js";
export { Breadcrumbs, NavTree, Pagination, SidebarEntries } from "./navigation.js";
export { formatDate, formatNumber, languageName } from "./formats.js";
export { addressIn, getSearchUrl } from "../page/url.js";
export { inLanguage } from "../theme/strings.js";
export type {
  AccountTemplateProps,
  AdjacentPages,
  ArticleView,
  AuthorView,
  CollectionItemView,
  CollectionView,
  CommentsView,
  CommentView,
  ErrorTemplateProps,
  FlexFieldView,
  FlexSchemaView,
  FlexTemplateProps,
  FormTemplateProps,
  ImageAttributes,
  ListingTemplateProps,
  ListingView,
  LoginTemplateProps,
  MediaView,
  ModuleProps,
  ModuleView,
  PageLink,
  PageNeighbours,
  PageView,
  Preset,
  SearchResultView,
  SearchTemplateProps,
  SeriesView,
  ShownField,
  SidebarItem,
  SidebarMore,
  SitePublic,
  TemplateProps,
  VersionView,
} from "../contract.js";
export type { NavItem } from "../../content/contract.js";
export type * from "../../panel/browser-contract.js";
