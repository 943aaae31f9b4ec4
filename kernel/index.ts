/**
 * The public API of the kernel, and the only door to it: `#kernel` in the repository, `sitewright` for
 * others. First-party plugins import nothing else of the kernel.
 */
// Plugins extend interfaces of these files by declaration merging, which requires `export *`.
export * from "./contracts/changes.js";
export * from "./contracts/change-feed.js";
export * from "./contracts/hooks.js";
export * from "./contracts/request-state.js";
export * from "./contracts/services.js";
export * from "./contracts/settings.js";

export type { CacheEntry, CacheExplanation, Caches, CacheSpace } from "#lib/cache";
export type { Command, CommandInput, Output } from "./contracts/command.js";
export type {
  ConfigFile,
  ConfigText,
  ConfigWriter,
  InspectedSite,
  RawConfig,
  SettingsProblem,
} from "./contracts/config.js";
export type { Diagnostic, ExaminedSite, Finding } from "./contracts/diagnostics.js";
export type { Clock, Env, Logger, Paths } from "./contracts/environment.js";
export type {
  Answer,
  AnswerCache,
  AnswerFilter,
  Authorization,
  BodyDefinition,
  DependsOn,
  EdgeStep,
  HandledBy,
  Handler,
  Http,
  JsonOptions,
  Phase,
  RequestContext,
  RouteDefinition,
  RouteDescription,
  RouteHandler,
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
export type { Loadable, Plugin } from "./contracts/plugin.js";
export type { ConfigState, ReloadStatus } from "./contracts/reload.js";
export type { RouteTool } from "./contracts/route-tool.js";
export type {
  Deprecation,
  Modules,
  PluginInfo,
  SiteRecipe,
  SiteRuntime,
} from "./contracts/runtime.js";
export type { EngineInfo, ExtensionInfo } from "./contracts/slot-info.js";
export type { Trace, TraceFacts, Tracer } from "./contracts/trace.js";
export type { WorkerReply, Workers, WorkerStatus } from "./contracts/workers.js";
export type { SiteConfigFiles, SiteContext, SiteLifecycle } from "./contracts/site.js";
export { bootWithoutPort, createSite, type Site } from "./boot/create-site.js";
export {
  describeFailure,
  type Failure,
  failureFields,
  problemsOf,
} from "./boot/describe-failure.js";
export type { FirstPartyPlugin } from "./boot/load-plugins.js";
export type { FirstParty, LoadedSite, PluginOutline } from "./boot/load-site.js";
export { OptionalPackages } from "./boot/optional-packages.js";
export type { StartFiles } from "./boot/start-files.js";
export { workerEntry } from "./boot/worker-entry.js";
export { callCheck } from "./call-check.js";
export { exitCode } from "./cli/report.js";
export type { Launch, Program, ReplaceableSite, SiteServer } from "./cli/serve/launch.js";
export { RELOAD_SIGNAL } from "./cli/serve/signals.js";
export type { ServeInput, ToolInput } from "./cli/tool-input.js";
export { type BucketSection, CircuitBreaker } from "#lib/stores";

export { ConfigFileWriter } from "./config/config-writer.js";
export { setConfigKeys } from "./config/edit-yaml.js";
export { childVariables, createEnv, processEnv } from "./config/env.js";
export { siteFolder } from "./config/folder-keys.js";
export { readRawConfig } from "./config/read-files.js";
export { readRuntimeFolder } from "./config/runtime-folder.js";
export { closeCall, closeEngines, engineFailureFields } from "./engines/engine-calls.js";
export { EngineError, type EngineErrorOptions, optionError } from "./errors.js";
export { FAILED_PART_MS, partName } from "./extensions.js";
export { readHandler, withoutSlash } from "./http/read-handler.js";
export { assertServed } from "./http/request/assert-served.js";
export { hasCredentials } from "./http/request/context.js";
export { dropParameters } from "./http/request/drop-parameters.js";
export { silentLog } from "#lib/log";
export { savedByLeader, saveForWorkers, silentWorker } from "./workers.js";
export { httpUrl, safeNext } from "#lib/urls";
export { ConfigError } from "./config/problem.js";
export { constantTimeEqual } from "#lib/secrets";
export { HttpError, SiteError } from "#lib/errors";
export { Git } from "#lib/git";
export { atomicWrite, safeJoin } from "#lib/files";
export { KeyedLock, within } from "#lib/concurrency";
export { defineHook } from "./hooks/define-hook.js";
export { jsonBody, SitePath } from "#lib/http";
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
export { commandsOf, definePlugin, diagnosticsOf, PLUGIN_API_VERSION } from "./plugin.js";
