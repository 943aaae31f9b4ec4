/**
 * The module `sitewright/theme` for themes (`#theme` in this package): components, helpers, types.
 */
export { addressIn } from "./address-in.js";
export { Breadcrumbs } from "./breadcrumbs.js";
export { cx } from "./cx.js";
export { fitImages } from "./fit-images.js";
export { formatDate } from "./format-date.js";
export { formatNumber } from "./format-number.js";
export { Html } from "./html.js";
export { inLanguage } from "./in-language.js";
export { lowerHeadings } from "./lower-headings.js";
export { languageName } from "./language-name.js";
export { Modules } from "./modules.js";
export { NavTree } from "./nav-tree.js";
export { Pagination } from "./pagination.js";
export { Picture } from "./picture.js";
export { getSearchUrl } from "./search-url.js";
export type {
  AccountTemplateProps,
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
  SitePublic,
  TemplateProps,
  VersionView,
} from "../contract.js";
export type { NavItem } from "../../content/contract.js";
export type * from "../../panel/browser-contract.js";
