/**
 * The module `sitewright/theme` for themes (`#theme` in this package): components, helpers, types.
 */
export { addressIn } from "./attributes.js";
export { Breadcrumbs } from "./navigation.js";
export { cx } from "./attributes.js";
export { fitImages } from "./html.js";
export { formatDate } from "./formats.js";
export { formatNumber } from "./formats.js";
export { Html } from "./html.js";
export { inLanguage } from "./attributes.js";
export { lowerHeadings } from "./html.js";
export { languageName } from "./formats.js";
export { Modules } from "./modules.js";
export { NavTree } from "./navigation.js";
export { Pagination } from "./navigation.js";
export { Picture } from "./picture.js";
export { getSearchUrl } from "./attributes.js";
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
