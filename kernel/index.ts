/**
 * The public API of the kernel: `#kernel` in the repository, `sitewright` for others. What only
 * first-party plugins need is in `internal.ts`.
 */
// Plugins extend interfaces of these files by declaration merging, which requires `export *`.
export * from "./contracts/changes.js";
export * from "./contracts/change-feed.js";
export * from "./contracts/hooks.js";
export * from "./contracts/request-state.js";
export * from "./contracts/services.js";
export * from "./contracts/settings.js";

export type { CacheEntry, Caches, CacheSpace } from "#lib/cache";
export type { Command, CommandInput } from "./contracts/command.js";
export type { SettingsProblem } from "./contracts/config.js";
export type { Clock, Env, Logger, Paths } from "./contracts/environment.js";
export type {
  Answer,
  AnswerCache,
  Authorization,
  BodyDefinition,
  EdgeStep,
  Handler,
  Http,
  RouteDefinition,
} from "./contracts/http.js";
export {
  type Field,
  type FieldError,
  type FieldFinding,
  type FieldKind,
  FieldKinds,
  type JsonSchema,
} from "#lib/fields";
export type { ChangeAnnouncer, Leader, WriteLock } from "./contracts/nodes.js";
export type { Plugin } from "./contracts/plugin.js";
export type { SiteRuntime } from "./contracts/runtime.js";
export type { SiteConfigFiles, SiteContext, SiteLifecycle } from "./contracts/site.js";
export { createSite, type Site } from "./boot/create-site.js";
export type { FirstPartyPlugin } from "./boot/load-plugins.js";
export type { FirstParty } from "./boot/load-site.js";
export { type BucketSection, CircuitBreaker } from "#lib/stores";

export { createEnv } from "./config/env.js";
export { httpUrl, safeNext } from "#lib/urls";
export { ConfigError } from "./config/problem.js";
export { constantTimeEqual } from "#lib/secrets";
export { HttpError, SiteError } from "#lib/errors";
export { Git } from "#lib/git";
export { atomicWrite, safeJoin } from "#lib/files";
export { KeyedLock, within } from "#lib/concurrency";
export { defineHook } from "./hooks/define-hook.js";
export { jsonBody } from "#lib/http";
export { escapeHtml } from "#lib/html";
export {
  expectEach,
  expectFields,
  expectJson,
  expectKind,
  expectMethods,
  expectNullable,
  expectOptional,
  expectValues,
  isRecord,
  type ValueCheck,
  type ValueKind,
} from "#lib/values";
export { definePlugin, PLUGIN_API_VERSION } from "./plugin.js";
