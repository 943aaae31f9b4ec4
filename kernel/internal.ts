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
export type { Output } from "./contracts/command.js";
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
export type { FieldMoment, FieldReference } from "./contracts/fields.js";
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
} from "./contracts/query.js";
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
export { BoundedMap } from "./cache/bounded-map.js";
export { unpooled } from "./cache/unpooled.js";
export { lockRoot } from "./cli/serve/root-lock.js";
export { isRange, maxSatisfying, satisfies } from "./boot/packages/version-range.js";
export {
  packageRoot,
  readPackage,
  runningFile,
  runsSources,
} from "./boot/packages/package-root.js";
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
export { compareTextKeys, compareTexts, sortByText, toTextKey, type TextKey } from "./collation.js";
export { ConfigFileWriter } from "./config/config-writer.js";
export { addPluginEntry, nameOfSource } from "./config/plugins/edit-plugins.js";
export { childVariables, processEnv, variableName } from "./config/environment/env.js";
export { configValues, setConfigKeys, setYamlKey, setYamlKeys } from "./config/yaml/edit-yaml.js";
export { anyFolder, siteFolder } from "./config/folder-keys.js";
export { isExposedUrl, isLoopbackUrl } from "./config/http-url.js";
export { describeFailure, excerptOf } from "./cli/dev/describe-failure.js";
export { pathFromHere, quotedPath } from "./cli/command-path.js";
export { exitCode } from "./cli/exit-code.js";
export { runtimeFolder } from "./config/kernel-settings.js";
export { nearest } from "./config/nearest.js";
export { causeOf, formatKey } from "./config/problem.js";
export { parseWith } from "./config/parse-with.js";
export { readRawConfig, readRuntimeFolder } from "./config/raw-config.js";
export { parseSpecifier, type Specifier } from "./config/plugins/specifier.js";
export { nearestLine, parseYamlSource, type YamlSource } from "./config/yaml/yaml-source.js";
export { privateFoldersCheck } from "./doctor/private-folders.js";
export { postgresCheck, redisCheck } from "./doctor/store-checks.js";
export { migrateDatabase, type DatabaseSchema } from "./stores/database-migrations.js";
export { parseEmailAddress } from "./email-address.js";
export { errorCode } from "./error-code.js";
export { FAILED_PART_MS, partName } from "./extensions.js";
export { kernelErrors, optionError, type SiteErrorOptions } from "./errors.js";
export {
  checkFields,
  coerceValue,
  fieldTexts,
  initialValue,
  initialValues,
  presentMoment,
  isConditionMet,
  valueMistakes,
} from "./fields/check-fields.js";
export { isEmpty } from "./fields/empty.js";
export { FIELD, frontMatterOpening } from "./text/front-matter.js";
export { fieldsSchema } from "./fields/json-schema.js";
export {
  definitionTexts,
  formatFieldProblem,
  readFields,
  type FieldProblem,
  type KindLookup,
} from "./fields/read-fields.js";
export { schemaTexts } from "./config/schema-texts.js";
export { readData, schemaMistakes, type SchemaMistake } from "./config/schema-mistakes.js";
export { numberTexts, writtenNumbers } from "./fields/text-kinds.js";
export { referencesIn, relationKind, relationTargets } from "./fields/relation-kinds.js";
export { FileLock } from "./files/file-lock.js";
export {
  isTemporary,
  makeFolder,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  readSmallFile,
  realInside,
  syncFolder,
  temporaryBeside,
} from "./files/files.js";
export { syncFile, syncTree } from "./files/sync-tree.js";
export { imageFormatOf, mediaTypeOf, registeredTypeOf } from "./files/media-type.js";
export { FolderWatchers } from "./files/folder-watchers.js";
export { ownIdentity } from "./files/process-identity.js";
export { ProcessLock, type LockHolder } from "./files/process-lock.js";
export { sqliteOpener, type SqliteFile, type SqliteStatement } from "./files/sqlite.js";
export type { GitOptions, GitRun } from "./git/git.js";
export { removeStaleLocks } from "./git/stale-locks.js";
export { dropParameters, withoutParameters } from "./http/request/drop-parameters.js";
export { hasCredentials } from "./http/request/has-credentials.js";
export { canParseUrl } from "./http/request/can-parse-url.js";
export { defaultNodeName } from "./node-name.js";
export { assertServed } from "./reload/assert-served.js";
export { MemoryConnection, type MemoryRequest } from "./http/request/memory-connection.js";
export { encodeAttribute, rewriteHtml, rewriteSrcset } from "./http/address/html-scanner.js";
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
export { isCalendarDay, parseMoment, readDate, zoneDay } from "./parse-moment.js";
export {
  createPostgresPool,
  describePostgresError,
  isPostgresAway,
  isPostgresUrl,
} from "./stores/postgres-pool.js";
export { queryKindOf } from "./query/field-kind.js";
export { pickFields } from "./query/pick-fields.js";
export { described, filterParameter } from "./query/describe-parameters.js";
export { INCLUDE_RULES } from "./query/include-rules.js";
export { queryError, unknownName } from "./query/query-error.js";
export { QueryTable, resolveName, type TableQuery } from "./query/query-table.js";
export { isTypedQuery, QUERY_PARAMETERS, readQuery } from "./query/read-query.js";
export { RedisCalls } from "./stores/redis-calls.js";
export { bucketSettings } from "./stores/bucket-settings.js";
export { RedisConnection, type RedisClient } from "./stores/redis-connection.js";
export { databaseOf, SharedDatabase, SITE_OWNER_TABLE } from "./stores/shared-database.js";
export { siteIdentity } from "./site-identity.js";
export {
  createPause,
  runAtOnce,
  runInSlices,
  sortInSlices,
  START_SLICE_MS,
  type Pause,
  type Sliced,
} from "./waiting/slices.js";
export { openText, sealText } from "./secrets/sealed-text.js";
export { SingleFlight } from "./waiting/single-flight.js";
export { shownValue } from "./value-checks.js";
export { closeCall, closeEngines } from "./engines/close-engines.js";
export { isPromise } from "./hooks/hook-call.js";
export { engineFailureFields } from "./engines/engine-calls.js";
export { EngineError, type EngineErrorOptions } from "./errors.js";
export { createSlidingWindow, type SlidingWindow } from "./waiting/sliding-window.js";
export { RecordFiles } from "./records/record-files.js";
export { createSecret, isSecretOf } from "./secrets/secret.js";
export { sha256 } from "./secrets/sha256.js";
export { StoreGuard } from "./stores/store-guard.js";
export { formatCsv } from "./text/csv.js";
export {
  orderPrefix,
  PAGE_EXTENSION,
  pageStem,
  sameLanguage,
  sameName,
  splitOrder,
  withoutExtension,
  withoutOrders,
} from "./text/file-names.js";
export { lineChanges } from "./text/line-changes.js";
export { mergeTexts } from "./text/merge-texts.js";
export { readToml } from "./text/read-toml.js";
export { finderIn, replaceMarks, withoutTags, type Find } from "./text/replace-marks.js";
export { traced } from "./trace.js";
export { WorkQueue } from "./waiting/work-queue.js";
export { savedByLeader, saveForWorkers } from "./workers/saved-by-leader.js";
export { expectCsp } from "./http/response/csp-check.js";
export { withCspSources } from "./http/response/route-csp.js";
export type {
  InternalAnswer,
  InternalContext,
  InternalJsonOptions,
} from "./http/response/internals.js";
export { callCheck, expectOneOf, expectText } from "./call-check.js";
