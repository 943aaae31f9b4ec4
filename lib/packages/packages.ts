import { readFileSync, existsSync } from "node:fs";
import { join, dirname, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCode, SiteError } from "#lib/errors";

/** A package to load, and what asks for it. */
export interface MissingPackages {
  readonly plugin: string;
  readonly packages: readonly string[];
  /** A key, a variable or a command. */
  readonly neededBy: string;
}

/**
 * Loads an optional package on behalf of what `need` names.
 * @throws ERR_PACKAGE_MISSING when it is not installed, and the errors of the package itself.
 */
export async function loadOptional<T>(load: () => Promise<T>, need: MissingPackages): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const packages = need.packages.filter((name) => !isInstalled(name));
    if (packages.length === 0) throw cause;
    throw packagesMissing({ ...need, packages }, cause);
  }
}

/** The error of packages that are not installed. */
export function packagesMissing(
  { plugin, packages, neededBy }: MissingPackages,
  cause?: unknown,
): SiteError {
  const named = packages.length === 1 ? "the package" : "the packages";
  return new SiteError(
    "ERR_PACKAGE_MISSING",
    `\`${neededBy}\` (plugin ${plugin}) needs ${named} ${packages.join(", ")}: not installed`,
    { fix: installCommand(packages), ...(cause !== undefined && { cause }) },
  );
}

/** True for a package that can be imported here. */
export function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch (error) {
    // Packages without a main entry are installed, too.
    return errorCode(error) === "ERR_PACKAGE_PATH_NOT_EXPORTED";
  }
}

/** `npm install redis@^6.3.1`, with the versions that Sitewright works with. */
export function installCommand(packages: readonly string[]): string {
  const text = readFileSync(join(packageRoot(), "package.json"), "utf8");
  const { peerDependencies: ranges } = JSON.parse(text) as {
    peerDependencies: Readonly<Record<string, string>>;
  };
  const specifiers = packages.map((name) => {
    const range = ranges[name];
    const specifier = range === undefined ? name : `${name}@${range}`;
    // Shells read `>` and spaces.
    return /^[\w@./^~-]+$/.test(specifier) ? specifier : `"${specifier}"`;
  });
  return `npm install ${specifiers.join(" ")}`;
}

/** Absolute folder of the installed package: the nearest one above this file with a package.json. */
export function packageRoot(): string {
  const climb = (folder: string): string =>
    existsSync(join(folder, "package.json")) ? folder : climb(dirname(folder));
  return climb(dirname(fileURLToPath(import.meta.url)));
}

/** True when TypeScript runs directly (tests, development), false for compiled code. */
export function runsSources(): boolean {
  return import.meta.url.endsWith(".ts");
}

/**
 * Absolute path of a file of the running code: below the package, or once compiled below `dist/`, or below the folder
 * that becomes it, from which a build loads what it has compiled. A bundled module cannot find its neighbours by its
 * own URL.
 */
export function runningFile(path: string): string {
  const root = packageRoot();
  const [compiled = ""] = relative(root, fileURLToPath(import.meta.url)).split(sep);
  return join(root, runsSources() ? "" : compiled, path);
}

/** The package's own manifest. */
export function readPackage(): { name: string; version: string; engines: { node: string } } {
  const text = readFileSync(join(packageRoot(), "package.json"), "utf8");
  return JSON.parse(text) as { name: string; version: string; engines: { node: string } };
}
