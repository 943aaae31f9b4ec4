import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { safeJoin } from "#kernel";
import { assertLocked, realInside, satisfies } from "#kernel/internal";
import type { SiteError } from "#kernel";
import { renderFailure } from "../errors.js";

const PINNED = /^npm:((?:@[\w.-]+\/)?[\w.-]+)@([\^~]?\d+(?:\.\d+){0,2}(?:-[\w.]+)?)$/;
const PackageJson = z.object({ version: z.string() });

/** Why a `src` is invalid, with the fix; null when it is valid. */
export function sourceProblem(src: string): { expected: string; fix: string } | null {
  if (src.startsWith("./")) {
    if (src.split("/").includes("..") || src.includes("\\")) {
      return { expected: "a path inside the site root", fix: "move the theme into the site root" };
    }
    return null;
  }
  if (PINNED.test(src)) return null;
  if (src.startsWith("npm:")) {
    return { expected: "a pinned version", fix: `write ${src.replace(/@[^@/]*$/, "")}@^1.0.0` };
  }
  if (src.startsWith("jsr:")) {
    const name = src.slice(4).replace(/^@([\w.-]+)\//, "@jsr/$1__");
    return { expected: "an npm name", fix: `use npm:${name}` };
  }
  return {
    expected: "`npm:name@version` or `./path`",
    fix: "install the theme from npm or put it in the site root",
  };
}

/**
 * Absolute folder of a theme's `src`.
 * @throws ERR_THEME_SOURCE for an invalid form, a package that is not installed or has another
 * version, and a path that is missing or leaves the site root.
 */
export async function sourceFolder(root: string, src: string): Promise<string> {
  const problem = sourceProblem(src);
  if (problem !== null) throw refused(src, `expected ${problem.expected}`, problem.fix);
  const match = PINNED.exec(src);
  if (match !== null)
    return installedFolder(root, src, { name: match[1] ?? "", range: match[2] ?? "" });
  const joined = safeJoin(root, src);
  const folder = joined === null ? null : await realInside(root, joined);
  if (folder === null)
    throw refused(src, "no such folder inside the site root", "correct the path");
  return folder;
}

async function installedFolder(
  root: string,
  src: string,
  wanted: { name: string; range: string },
): Promise<string> {
  const folder = findInstalled(root, wanted.name);
  if (folder === null)
    throw refused(src, "the package is not installed", `npm install ${src.slice(4)}`);
  const { version } = PackageJson.parse(
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  );
  if (!satisfies(version, wanted.range, { includePrerelease: true })) {
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
