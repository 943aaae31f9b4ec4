/** The public API of the kernel: everything that is not exported here is private. */
export * from "./contracts.js";
export { canParseUrl } from "./http/can-parse-url.js";
export { ConfigFileWriter } from "./config/config-writer.js";
export { addPluginEntry, nameOfSource } from "./config/edit-plugins.js";
export {
  configHash,
  formatConfig,
  parseConfig,
  setConfigKeys,
  type ConfigChange,
} from "./config/edit-yaml.js";
export { createEnv } from "./config/env.js";
export { httpUrl, isExposedUrl, isLoopbackUrl } from "./config/http-url.js";
export { ConfigError, type ConfigProblem } from "./config/problem.js";
export { readRawConfig } from "./config/raw-config.js";
export { CircuitBreaker, type BreakerOptions } from "./circuit-breaker.js";
export { constantTimeEqual } from "./constant-time-equal.js";
export { parseEmailAddress } from "./email-address.js";
export { errorCode } from "./error-code.js";
export { HttpError, kernelErrors, SiteError, type SiteErrorOptions } from "./errors.js";
export {
  atomicWrite,
  isTemporary,
  readSmallFile,
  realInside,
  safeJoin,
  syncFolder,
  temporaryBeside,
} from "./files/files.js";
export { escapeHtml } from "./http/escape-html.js";
export type { InternalAnswer, InternalContext, InternalJsonOptions } from "./http/internals.js";
export { jsonBody } from "./http/body.js";
export { defineHook } from "./hooks/define-hook.js";
export { onAnswered } from "./http/on-answered.js";
export { withoutSlash } from "./http/without-slash.js";
export { FileLock } from "./files/file-lock.js";
export { isRecord } from "./is-record.js";
export { JobError } from "./jobs/job-error.js";
export { KeyedLock } from "./files/keyed-lock.js";
export type { FirstPartyPlugin } from "./boot/load-plugins.js";
export type { FirstParty } from "./boot/load-site.js";
export {
  installedName,
  installedTree,
  installedVersion,
  readInstalled,
  type InstalledRecord,
} from "./boot/installed-packages.js";
export {
  assertLocked,
  formatSiteLock,
  LOCK_FILE,
  lockProblem,
  readSiteLock,
  type LockProblem,
  type SiteLock,
} from "./boot/site-lock.js";
export { parseSpecifier, type Specifier } from "./config/specifier.js";
export { silentLog } from "./log/log.js";
export { nearest } from "./config/nearest.js";
export { openSite } from "./boot/open-site.js";
export { packageRoot, readPackage, runningFile, runsSources } from "./boot/package-root.js";
export { parseWith } from "./config/parse-with.js";
export { sqliteOpener, type SqliteFile, type SqliteStatement } from "./files/sqlite.js";
export { ProcessLock, type LockHolder } from "./files/process-lock.js";
export { definePlugin, PLUGIN_API_VERSION } from "./plugin.js";
export { reloadClient } from "./http/reload-client.js";
export { safeNext } from "./http/safe-next.js";
export { traced } from "./trace.js";
export { SingleFlight } from "./single-flight.js";
export { createSite, type Site, type SiteOptions } from "./site.js";
export { within } from "./within.js";
export { WorkQueue } from "./work-queue.js";
export { readYaml, type YamlDocument } from "./config/yaml-document.js";
