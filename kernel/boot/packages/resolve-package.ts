import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseSpecifier } from "../../config/plugins/specifier.js";
import { SiteError } from "../../errors.js";
import { installedName, readInstalled } from "./installed-packages.js";
import { satisfies } from "./version-range.js";

interface WantedPackage {
  /** Null for a tarball or a commit that is not installed. */
  name: string | null;
  range: string | null;
  /** Argument of `npm install`. */
  spec: string;
}

/**
 * The main module of a package in the site's own node_modules; the installed version must satisfy the
 * range of `npm:name@range`.
 * @throws ERR_PLUGIN_LOAD.
 */
export async function resolvePackage(src: string, root: string): Promise<string> {
  const { name, range, spec } = await wantedPackage(src, root);
  const refused = (message: string): SiteError =>
    new SiteError("ERR_PLUGIN_LOAD", `plugin ${src}: ${message}`, {
      fix: `run site lockfile:sync, or npm install ${spec} in the site root`,
    });
  if (name === null) throw refused("its package is not installed");
  const manifest = join(root, "node_modules", name, "package.json");
  if (!existsSync(manifest)) throw refused(`package "${name}" is not installed`);
  const require = createRequire(manifest);
  const { version, main } = require(manifest) as { version: string; main?: string };
  if (range !== null && !satisfies(version, range)) {
    throw refused(`version ${version} is installed`);
  }
  return main ? join(dirname(manifest), main) : name;
}

async function wantedPackage(src: string, root: string): Promise<WantedPackage> {
  const parsed = parseSpecifier(src);
  if ("fault" in parsed) return { name: null, range: null, spec: src };
  const { specifier } = parsed;
  if (specifier.kind === "npm") {
    const { name, range } = specifier;
    return { name, range, spec: `${name}@${range}` };
  }
  const name = installedName((await readInstalled(root)) ?? {}, specifier);
  return { name, range: null, spec: src };
}
