/** The types of all services and engines, for plugins that use or replace them. */
export type {
  Authorization,
  ChangeAnnouncer,
  ChangeStore,
  Git,
  Leader,
  WriteLock,
} from "#kernel";
export type * from "./admin/contract.js";
export type * from "./auth/contract.js";
export type * from "./cache/contract.js";
export type * from "./cdn/contract.js";
export type * from "./check/contract.js";
export type * from "./cluster/contract.js";
export type * from "./comments/contract.js";
export type * from "./content/contract.js";
export type * from "./email/contract.js";
export type * from "./flex/contract.js";
export type * from "./forms/contract.js";
export type * from "./git-sync/contract.js";
export type * from "./health/contract.js";
export type * from "./history/contract.js";
export type * from "./jobs/contract.js";
export type * from "./llms/contract.js";
export type * from "./markdown/contract.js";
export type * from "./mcp/contract.js";
export type * from "./media/contract.js";
export type * from "./openapi/contract.js";
export type * from "./outbound/contract.js";
export type * from "./pages/contract.js";
export type * from "./panel/contract.js";
export type * from "./postgres/contract.js";
export type * from "./records/contract.js";
export type * from "./render/contract.js";
export type * from "./search/contract.js";
export type * from "./security/contract.js";
export type * from "./session/contract.js";
export type * from "./static/contract.js";
export type * from "./tracing/contract.js";
export type * from "./users/contract.js";
export type * from "./webhooks/contract.js";
export type * from "./workers/contract.js";
