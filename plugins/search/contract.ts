/** Public types of search, by theme. */
export type * from "./contract/documents.js";
export type * from "./contract/engines.js";
export type * from "./contract/service.js";
export type * from "./contract/hooks.js";
