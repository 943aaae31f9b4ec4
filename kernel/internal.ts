/**
 * What first-party plugins need beyond the public API. The package does not export it: third-party code
 * cannot import it.
 */
export type { CacheExplanation } from "./contracts/cache.js";
export type {
  ChangeJournal,
  JournalForm,
  JournalPage,
  PackedChange,
  PackedStates,
} from "./contracts/change-journal.js";
export type { Output, ToolInput } from "./contracts/command.js";
export type { Diagnostic, ExaminedSite, Finding } from "./contracts/diagnostics.js";
export type {
  ConfigFile,
  ConfigText,
  ConfigWriter,
  InspectedSite,
  PluginEntry,
  RawConfig,
} from "./contracts/config.js";
export type {
  AnswerFilter,
  DependsOn,
  EdgeStage,
  JsonOptions,
  Phase,
  RequestContext,
  RouteDescription,
  RouteHandler,
} from "./contracts/http.js";
export type { FieldMoment, FieldReference } from "#lib/fields";
export type { RouteTool } from "./contracts/route-tool.js";
export type { JobStoreEvents } from "./contracts/jobs.js";
export type {
  BytesDefinition,
  JournalDefinition,
  JournalEntry,
  JournalValue,
  RecordBytes,
  RecordJournal,
} from "./contracts/records.js";
export type { ConfigState } from "./contracts/reload.js";
export type { Modules, PluginInfo, SiteRecipe } from "./contracts/runtime.js";
export type { PrimaryHub, PrimaryPart, Workers, WorkerStatus } from "./contracts/workers.js";
export type {
  QueryKind,
  QueryName,
  QueryOrder,
  QueryResult,
  QuerySort,
  QuerySource,
  QueryText,
} from "#lib/query";
export type { EngineInfo, ExtensionInfo, ExtensionStat } from "./contracts/slot-info.js";
export type { Trace, TraceFacts, Tracer } from "./contracts/trace.js";

export {
  installedName,
  installedTree,
  installedVersion,
  readInstalled,
  type InstalledRecord,
} from "./boot/packages/installed-packages.js";
export { failureFields } from "./boot/failure.js";
export { bootWithoutPort } from "./boot/boot-without-port.js";
export { RootSwap } from "./boot/root/root-swap.js";
export { BoundedMap } from "#lib/values";
export { unpooled } from "./cache/unpooled.js";
export { lockRoot } from "./cli/serve/root-lock.js";
export { isRange, maxSatisfying, satisfies } from "#lib/versions";
export { OptionalPackages, type PackageNeed } from "./boot/packages/optional-packages.js";
export { installCommand, loadOptional, type MissingPackages } from "#lib/packages";
export { packageRoot, readPackage, runningFile, runsSources } from "#lib/packages";
export { workerEntry } from "./boot/worker-entry.js";
export {
  assertLocked,
  formatSiteLock,
  LOCK_FILE,
  lockProblem,
  REINSTALL_FIX,
  readSiteLock,
  type SiteLock,
} from "./boot/root/site-lock.js";
export { compareTextKeys, compareTexts, sortByText, toTextKey, type TextKey } from "#lib/text";
export { ConfigFileWriter } from "./config/config-writer.js";
export { addPluginEntry, nameOfSource } from "./config/plugins/edit-plugins.js";
export { childVariables, processEnv, variableName } from "./config/environment/env.js";
export { configValues, setConfigKeys, setYamlKey, setYamlKeys } from "./config/yaml/edit-yaml.js";
export { anyFolder, siteFolder } from "./config/folder-keys.js";
export { isExposedUrl, isLoopbackUrl } from "#lib/urls";
export { describeFailure, excerptOf } from "./cli/dev/describe-failure.js";
export { pathFromHere, quotedPath } from "./cli/command-path.js";
export { exitCode } from "./cli/exit-code.js";
export { runtimeFolder } from "./config/kernel-settings.js";
export { nearest } from "#lib/values";
export { causeOf, formatProblem } from "./config/problem.js";
export { formatKey } from "#lib/values";
export { parseWith } from "#lib/schema";
export { readRawConfig, readRuntimeFolder } from "./config/raw-config.js";
export { parseSpecifier, type Specifier } from "./config/plugins/specifier.js";
export { nearestLine, parseYamlSource, type YamlSource } from "./config/yaml/yaml-source.js";
export { postgresCheck, privateFoldersCheck, redisCheck } from "#lib/diagnostics";
export { migrateDatabase, type DatabaseSchema } from "#lib/stores";
export { parseEmailAddress } from "#lib/text";
export { errorCode } from "#lib/errors";
export { FAILED_PART_MS, partName } from "./extensions.js";
export { kernelErrors, optionError } from "./errors.js";
export type { SiteErrorOptions } from "#lib/errors";
export {
  checkFields,
  coerceValue,
  fieldTexts,
  initialValue,
  initialValues,
  isConditionMet,
  valueMistakes,
} from "#lib/fields";
export { isEmpty } from "#lib/fields";
export { FIELD, frontMatterOpening } from "#lib/text";
export { fieldsSchema } from "#lib/fields";
export {
  definitionTexts,
  formatFieldProblem,
  readFields,
  type FieldProblem,
  type KindLookup,
} from "#lib/fields";
export { schemaTexts } from "#lib/schema";
export { readData, schemaMistakes, type SchemaMistake } from "#lib/schema";
export { numberTexts, writtenNumbers } from "#lib/fields";
export { referencesIn, relationKind, relationTargets } from "#lib/fields";
export { FileLock } from "#lib/files";
export {
  isTemporary,
  makeFolder,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  readSmallFile,
  realInside,
  syncFolder,
  temporaryBeside,
} from "#lib/files";
export { syncFile, syncTree } from "#lib/files";
export { imageFormatOf, mediaTypeOf, registeredTypeOf } from "#lib/files";
export { FolderWatchers } from "#lib/files";
export { ownIdentity } from "#lib/files";
export { ProcessLock, type LockHolder } from "#lib/files";
export { sqliteOpener, type SqliteFile, type SqliteStatement } from "#lib/files";
export type { GitOptions, GitRun } from "#lib/git";
export { removeStaleLocks } from "#lib/git";
export { dropParameters, withoutParameters } from "./http/request/drop-parameters.js";
export { hasCredentials } from "./http/request/has-credentials.js";
export { canParseUrl } from "#lib/urls";
export { defaultNodeName } from "./node-name.js";
export { assertServed } from "./reload/assert-served.js";
export { MemoryConnection, type MemoryRequest } from "./http/request/memory-connection.js";
export { encodeAttribute, rewriteHtml, rewriteSrcset } from "#lib/html";
export { SitePath } from "./http/address/site-path.js";
export { cappedLifetime } from "./http/response/cache-lifetime.js";
export { onAnswered } from "./http/response/on-answered.js";
export { readHandler } from "./http/read-handler.js";
export { reloadClient } from "./http/response/reload-client.js";
export { sentStatus } from "./http/response/sent-status.js";
export { withoutSlash } from "./http/response/without-slash.js";
export type { LeaseBeat, LeaseStore } from "./jobs/job-lease.js";
export { LeasedJobs } from "./jobs/leased-jobs.js";
export { JOB_ID, jobSchema, parseJob } from "./jobs/job-records.js";
export { withoutSecrets } from "./log/log-secrets.js";
export { silentLog } from "./log/log.js";
export { isCalendarDay, parseMoment, readDate, zoneDay } from "#lib/dates";
export {
  createPostgresPool,
  describePostgresError,
  isPostgresAway,
  isPostgresUrl,
} from "#lib/stores";
export { queryKindOf } from "#lib/query";
export { pickFields } from "#lib/query";
export { described, filterParameter } from "#lib/query";
export { INCLUDE_RULES } from "#lib/query";
export { queryError, unknownName } from "#lib/query";
export { QueryTable, resolveName, type TableQuery } from "#lib/query";
export { isTypedQuery, QUERY_PARAMETERS, readQuery } from "#lib/query";
export { RedisCalls } from "#lib/stores";
export { bucketSettings } from "#lib/stores";
export { RedisConnection, type RedisClient } from "#lib/stores";
export { SharedDatabase, SITE_OWNER_TABLE } from "#lib/stores";
export { databaseOf, siteIdentity } from "./site-identity.js";
export {
  createPause,
  runAtOnce,
  runInSlices,
  sortInSlices,
  START_SLICE_MS,
  type Pause,
  type Sliced,
} from "#lib/concurrency";
export { openText, sealText } from "#lib/secrets";
export { SingleFlight } from "#lib/concurrency";
export { shownValue } from "#lib/values";
export { closeCall, closeEngines } from "./engines/close-engines.js";
export { isPromise } from "./hooks/hook-call.js";
export { engineFailureFields } from "./engines/engine-calls.js";
export { EngineError, type EngineErrorOptions } from "./errors.js";
export { createSlidingWindow, type SlidingWindow } from "#lib/concurrency";
export { RecordFiles } from "./records/record-files.js";
export { createSecret, isSecretOf } from "#lib/secrets";
export { sha256 } from "#lib/secrets";
export { StoreGuard } from "#lib/stores";
export { formatCsv } from "#lib/text";
export {
  orderPrefix,
  PAGE_EXTENSION,
  pageStem,
  sameLanguage,
  sameName,
  splitOrder,
  withoutExtension,
  withoutOrders,
} from "#lib/text";
export { lineChanges } from "#lib/text";
export { mergeTexts } from "#lib/text";
export { readToml } from "#lib/toml";
export { finderIn, replaceMarks, withoutTags, type Find } from "#lib/text";
export { traced } from "./trace.js";
export { WorkQueue } from "#lib/concurrency";
export { savedByLeader, saveForWorkers } from "./workers/saved-by-leader.js";
export { expectCsp } from "./http/response/csp-check.js";
export { withCspSources } from "./http/response/route-csp.js";
export type {
  InternalAnswer,
  InternalContext,
  InternalJsonOptions,
} from "./http/response/internals.js";
export { callCheck, expectOneOf, expectText } from "./call-check.js";
export { presentMoment } from "./present-moment.js";
export { sitePaths } from "./boot/root/site-paths.js";
export type { LoadedSite } from "./boot/load-site.js";
