/** The package that runs, and packages that only some of its users install. Runs in Node.js. */
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
