/** Public types of the content plugin, by theme. */
export type { Field, FieldFinding, FieldKind } from "#kernel";
export type { CacheSection, LanguagesSection, RedirectRule } from "./settings.js";
export type * from "./contract/moments.js";
export type * from "./contract/pages.js";
export type * from "./contract/views.js";
export type * from "./contract/writes.js";
export type * from "./contract/blueprints.js";
export type * from "./contract/service.js";
export type * from "./contract/extensions.js";
export type * from "./contract/settings.js";
