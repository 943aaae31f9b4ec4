/** The package that runs, and packages that only some of its users install. Runs in Node.js. */
export {
  installCommand,
  isInstalled,
  loadOptional,
  packagesMissing,
  type MissingPackages,
} from "./optional-packages.js";
export { packageRoot, readPackage, runningFile, runsSources } from "./package-root.js";
