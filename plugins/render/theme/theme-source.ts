import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { safeJoin, type SiteError } from "#kernel";
import { readData } from "#lib/schema";
import { realInside } from "#lib/files";
import { satisfies } from "#lib/versions";
import {
  assertLocked,
  installedName,
  parseSpecifier,
  readInstalled,
  type Specifier,
} from "#lib/packages";
import { renderFailure } from "../errors.js";

const PackageJson = z.object({ version: z.string() });

/** Why a `src` is invalid, with the fix; null when it is valid. */
export function sourceProblem(src: string): { expected: string; fix: string } | null {
  const parsed = parseSpecifier(src, "theme");
  if ("fault" in parsed) return parsed.fault;
  if (parsed.specifier.kind !== "name") return null;
  return {
    expected: "`npm:name@version`, `file:./name.tgz`, `git+https://…#commit` or `./path`",
    fix: `write ./themes/${src}, or npm:${src}@^1.0.0 when it is a package`,
  };
}

/**
 * Absolute folder of a theme's `src`.
 * @throws ERR_THEME_SOURCE for an invalid form, a package that is not installed or has another
 * version, and a path that is missing or leaves the site root; ERR_LOCK_DRIFT.
 */
export async function sourceFolder(root: string, src: string): Promise<string> {
  const problem = sourceProblem(src);
  if (problem !== null) throw refused(src, `expected ${problem.expected}`, problem.fix);
  const parsed = parseSpecifier(src, "theme");
  const specifier = "specifier" in parsed ? parsed.specifier : null;
  if (specifier?.kind === "npm") {
    return installedFolder(root, src, specifier.name, specifier.range);
  }
  if (specifier?.kind === "tarball" || specifier?.kind === "git") {
    return archiveFolder(root, src, specifier);
  }
  const joined = safeJoin(root, src);
  const folder = joined === null ? null : await realInside(root, joined);
  if (folder === null)
    throw refused(src, "no such folder inside the site root", "correct the path");
  return folder;
}

/** The folder of a package from a tarball of the site, or from git. */
async function archiveFolder(root: string, src: string, specifier: Specifier): Promise<string> {
  const name = installedName((await readInstalled(root)) ?? {}, specifier);
  if (name === null) {
    throw refused(src, "the package is not installed", "run site lockfile:sync");
  }
  await assertLocked(root, src);
  return join(root, "node_modules", name);
}

async function installedFolder(
  root: string,
  src: string,
  name: string,
  range: string,
): Promise<string> {
  const folder = findInstalled(root, name);
  if (folder === null)
    throw refused(src, "the package is not installed", `npm install ${src.slice(4)}`);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { data, mistakes } = readData(PackageJson, manifest);
  if (mistakes !== null) {
    const [{ path, message, fix }] = mistakes;
    throw refused(src, `${path.join(".")} of its package.json: ${message}`, fix);
  }
  const { version } = data;
  if (!satisfies(version, range, { includePrerelease: true })) {
    throw refused(src, `version ${version} is installed`, `npm install ${src.slice(4)}`);
  }
  await assertLocked(root, src);
  return folder;
}

function findInstalled(from: string, name: string): string | null {
  const folder = join(from, "node_modules", name);
  if (existsSync(join(folder, "package.json"))) return folder;
  return dirname(from) === from ? null : findInstalled(dirname(from), name);
}

function refused(src: string, why: string, fix: string): SiteError {
  return renderFailure("ERR_THEME_SOURCE", `theme source ${JSON.stringify(src)}: ${why}`, { fix });
}
