/**
 * What first-party plugins need beyond the public API. The package does not export it: third-party code
 * cannot import it.
 */
export type { CacheExplanation } from "#lib/cache";
export type { Output } from "./contracts/command.js";
export type { ServeInput, ToolInput } from "./cli/tool-input.js";
export type { Diagnostic, ExaminedSite, Finding } from "./contracts/diagnostics.js";
export type {
  ConfigFile,
  ConfigText,
  ConfigWriter,
  InspectedSite,
  RawConfig,
} from "./contracts/config.js";
export type {
  AnswerFilter,
  DependsOn,
  JsonOptions,
  Phase,
  RouteDescription,
  RouteHandler,
} from "./contracts/http.js";
export type { RouteTool } from "./contracts/route-tool.js";
export type { ConfigState, ReloadStatus } from "./contracts/reload.js";
export type { Modules, PluginInfo, SiteRecipe } from "./contracts/runtime.js";
export type { WorkerReply, Workers, WorkerStatus } from "./contracts/workers.js";
export type { EngineInfo, ExtensionInfo } from "./contracts/slot-info.js";
export type { Trace, TraceFacts, Tracer } from "./contracts/trace.js";

export { failureFields } from "./boot/describe-failure.js";
export { bootWithoutPort } from "./boot/create-site.js";
export { unpooled } from "#lib/cache";
export { RELOAD_SIGNAL } from "./cli/serve/signals.js";
export type { Launch, Program, ReplaceableSite, SiteServer } from "./cli/serve/launch.js";
export type { StartFiles } from "./boot/start-files.js";
export { OptionalPackages } from "./boot/optional-packages.js";
export { workerEntry } from "./boot/worker-entry.js";
export { ConfigFileWriter } from "./config/config-writer.js";
export { addPluginEntry } from "./config/plugins/edit-plugins.js";
export { childVariables, processEnv } from "./config/env.js";
export { configValues, setConfigKeys, setYamlKey, setYamlKeys } from "./config/edit-yaml.js";
export { anyFolder, siteFolder } from "./config/folder-keys.js";
export { describeFailure, type Failure, problemsOf } from "./boot/describe-failure.js";
export { excerptOf } from "#lib/modules";
export { exitCode, pathFromHere, quotedPath } from "./cli/report.js";
export { runtimeFolder } from "./config/kernel-settings.js";
export { readRawConfig, readRuntimeFolder } from "./config/read-files.js";
export { FAILED_PART_MS, partName } from "./extensions.js";
export { EngineError, type EngineErrorOptions, kernelErrors, optionError } from "./errors.js";
export { dropParameters } from "./http/request/drop-parameters.js";
export { hasCredentials } from "./http/request/context.js";
export { databaseOf, defaultNodeName, siteIdentity } from "./site-identity.js";
export { assertServed } from "./http/request/assert-served.js";
export { SitePath } from "./http/site-path.js";
export { cappedLifetime } from "./http/response/answer.js";
export { onAnswered, sentStatus } from "./http/response/on-answered.js";
export { readHandler, withoutSlash } from "./http/read-handler.js";
export { reloadClient } from "./http/response/reload-client.js";
export { silentLog } from "./log/log.js";
export { closeCall, closeEngines, engineFailureFields } from "./engines/engine-calls.js";
export { traced } from "./trace.js";
export { LEADER, savedByLeader, saveForWorkers, silentWorker } from "./workers.js";
export type {
  InternalAnswer,
  InternalContext,
  InternalJsonOptions,
} from "./http/response/internals.js";
export { callCheck } from "./call-check.js";
export { presentMoment } from "./present-moment.js";
export type { LoadedSite } from "./boot/load-site.js";
