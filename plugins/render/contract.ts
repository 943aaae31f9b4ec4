/** The public contract of themes and HTML pages, by theme. */
export type * from "./contract/service.js";
export type * from "./contract/templates.js";
export type * from "./contract/views.js";
