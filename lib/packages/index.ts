/**
 * The package that runs, optional packages, the packages of a folder as npm installed them, and the lock that pins
 * them. Runs in Node.js.
 */
export { addPluginEntry } from "./add-plugin-entry.js";
export {
  installedName,
  type InstalledRecord,
  installedTree,
  installedVersion,
  readInstalled,
} from "./installed-packages.js";
export {
  installCommand,
  isInstalled,
  loadOptional,
  type MissingPackages,
  packageRoot,
  packagesMissing,
  readPackage,
  runningFile,
  runsSources,
} from "./packages.js";
export {
  type AcceptPackage,
  type LoadedPackages,
  packageName,
  resolvePackage,
  type SitePackages,
} from "./resolve-package.js";
export {
  assertLocked,
  formatSiteLock,
  LOCK_FILE,
  lockProblem,
  readSiteLock,
  REINSTALL_FIX,
  type SiteLock,
} from "./site-lock.js";
export { nameOfSource, parseSpecifier, type Specifier } from "./specifier.js";
