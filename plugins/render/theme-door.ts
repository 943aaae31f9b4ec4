/**
 * The module `sitewright/theme` for themes (`#theme` in this package): components, helpers, types.
 */
export { Breadcrumbs } from "./door/breadcrumbs.js";
export { cx } from "./door/cx.js";
export { formatDate } from "./door/format-date.js";
export { formatNumber } from "./door/format-number.js";
export { Html } from "./door/html.js";
export { languageName } from "./door/language-name.js";
export { NavTree } from "./door/nav-tree.js";
export { Pagination } from "./door/pagination.js";
export { Picture } from "./door/picture.js";
export { getSearchUrl } from "./door/search-url.js";
export type {
  CollectionItemView,
  CollectionView,
  ErrorTemplateProps,
  FlexFieldView,
  FlexSchemaView,
  FlexTemplateProps,
  ImageAttributes,
  LoginTemplateProps,
  MediaView,
  PageLink,
  PageNeighbours,
  PageView,
  SearchResultView,
  SearchTemplateProps,
  SitePublic,
  TemplateProps,
} from "./contract.js";
export type { NavItem } from "../content/contract.js";
