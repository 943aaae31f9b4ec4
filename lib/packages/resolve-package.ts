import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { SiteError } from "#lib/errors";
import { installedName, readInstalled } from "./installed-packages.js";
import { parseSpecifier } from "./specifier.js";
import { satisfies } from "#lib/versions";

interface WantedPackage {
  /** Null for a tarball or a commit that is not installed. */
  name: string | null;
  range: string | null;
  /** Argument of `npm install`. */
  spec: string;
}

const PackageJson = z.object({ version: z.string().default("0.0.0"), main: z.string().optional() });

/**
 * Versions of the packages that a process has loaded, by the path of their manifest. Node loads a package only
 * once, so a caller that starts several sites in a process passes the same map to all.
 */
export type LoadedPackages = Map<string, string>;

/** Resolves when the package that is installed for `src` may be loaded; rejects with the reason otherwise. */
export type AcceptPackage = (root: string, src: string) => Promise<void>;

/** The packages of a site, as its plugins load them. */
export interface SitePackages {
  readonly root: string;
  readonly loaded: LoadedPackages;
  /** Absent: every installed package that fits its range is accepted. */
  readonly accept?: AcceptPackage | undefined;
}

/**
 * The main module of a package in the site's own node_modules; the installed version must satisfy the
 * range of `npm:name@range`.
 * @throws ERR_PLUGIN_LOAD; the errors of `accept`; ERR_PLUGIN_RESTART when this process has loaded another version.
 */
export async function resolvePackage(
  src: string,
  { root, loaded, accept }: SitePackages,
): Promise<string> {
  const { name, range, spec } = await wantedPackage(src, root);
  const refused = (message: string): SiteError =>
    new SiteError("ERR_PLUGIN_LOAD", `plugin ${src}: ${message}`, {
      fix: `run site lockfile:sync, or npm install ${spec} in the site root`,
    });
  if (name === null) throw refused("its package is not installed");
  const manifest = join(root, "node_modules", name, "package.json");
  // Not by `require`, which would keep the file of a version that was installed before.
  const text = await readFile(manifest, "utf8").catch(() => null);
  if (text === null) throw refused(`package "${name}" is not installed`);
  const { version, main } = PackageJson.parse(JSON.parse(text));
  if (range !== null && !satisfies(version, range)) {
    throw refused(`version ${version} is installed`);
  }
  await accept?.(root, src);
  const running = loaded.get(manifest) ?? version;
  if (running !== version) {
    throw new SiteError(
      "ERR_PLUGIN_RESTART",
      `plugin ${src}: version ${version} of package "${name}" is installed, this process runs ${running}`,
      { fix: "restart the server: a process loads a package only once" },
    );
  }
  loaded.set(manifest, version);
  return main ? join(dirname(manifest), main) : name;
}

/**
 * The name of the package that `src` names, as it is or would be in node_modules; null when only its installation
 * tells the name, and for a path.
 */
export async function packageName(src: string, root: string): Promise<string | null> {
  return (await wantedPackage(src, root)).name;
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
