/** Finds the folder in which the running package is installed. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { packageRoot, readPackage } from "#lib/packages";
import { readRawConfig } from "#kernel";
import { upgradeError } from "./errors.js";

const manifestShape = z.looseObject({
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});
/** Lock files of package managers that would not know of the change. */
const OTHERS = ["pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb", "npm-shrinkwrap.json"];

/** A package in the `node_modules` of a folder, as `npm install` puts it there. */
export interface Installation {
  /** `sitewright`. */
  readonly name: string;
  readonly version: string;
  /** The folder with `package.json`, absolute. */
  readonly home: string;
  /** Absolute. */
  readonly packageFolder: string;
  /** The folder in which upgrades prepare files and keep the former version, absolute. */
  readonly state: string;
  /** The entry in `package.json`: `^0.4.0`, `file:sitewright-0.4.0.tgz`. */
  readonly range: string;
  /** Text of `package.json`. */
  readonly manifest: string;
  readonly limits: AgeLimits;
}

/** The running installation, to upgrade a site root. @throws ERR_UPGRADE_INSTALLATION. */
export async function findInstallation(root: string): Promise<Installation> {
  const packageFolder = packageRoot();
  const { name, version } = readPackage();
  const modules = dirname(packageFolder);
  const home = dirname(modules);
  if (basename(modules) !== "node_modules" || !existsSync(join(home, "package.json"))) {
    const message = `${packageFolder} is not below the node_modules of a folder with package.json`;
    throw upgradeError("ERR_UPGRADE_INSTALLATION", message, {
      fix: "upgrade a clone with git; for the command, install with npm install sitewright",
    });
  }
  const other = OTHERS.find((file) => existsSync(join(home, file)));
  if (other !== undefined) {
    throw upgradeError("ERR_UPGRADE_INSTALLATION", `${home} has ${other}`, {
      fix: "see site upgrade --plan, then upgrade with that package manager",
    });
  }
  const manifest = await readFile(join(home, "package.json"), "utf8");
  const range = wantedRange(manifest, name);
  if (range === null) {
    const message = `package.json in ${home} does not name ${name} in dependencies`;
    throw upgradeError("ERR_UPGRADE_INSTALLATION", message, { fix: `run npm install ${name}` });
  }
  const state = upgradeState();
  const limits = await ageLimits(root, name);
  return { name, version, home, packageFolder, state, range, manifest, limits };
}

/** The folder in which upgrades of the running package prepare files, absolute. */
export function upgradeState(): string {
  return join(dirname(packageRoot()), ".sitewright-upgrade");
}

/** The range of a package in the text of `package.json`; null without one. */
export function wantedRange(manifest: string, name: string): string | null {
  try {
    const { dependencies, devDependencies } = manifestShape.parse(JSON.parse(manifest));
    return dependencies?.[name] ?? devDependencies?.[name] ?? null;
  } catch {
    return null;
  }
}

/** The text of `package.json` with another range for a dependency; the rest stays as it is. */
export function withRange(manifest: string, name: string, range: string): string {
  const parsed = manifestShape.parse(JSON.parse(manifest));
  for (const list of [parsed.dependencies, parsed.devDependencies]) {
    if (list?.[name] !== undefined) list[name] = range;
  }
  const [, indent = "  "] = /^([ \t]+)"/m.exec(manifest) ?? [];
  return `${JSON.stringify(parsed, null, indent)}\n`;
}

const DAY_MS = 86_400_000;

const systemShape = z.object({
  packages: z.object({
    minimum_dependency_age: z.object({
      days: z.number().min(0).max(3650).default(0),
      exclude: z.array(z.string()).default([]),
    }),
  }),
});

/** Options of npm that leave younger versions out. */
interface AgeLimits {
  /** For the package itself. */
  readonly own: readonly string[];
  /** For its dependencies. */
  readonly others: readonly string[];
}

/**
 * The limits that `packages.minimum_dependency_age` of a site root sets. An invalid section has none: the site does not
 * start with it.
 */
export async function ageLimits(root: string, name: string): Promise<AgeLimits> {
  const { system } = await readRawConfig(root);
  const { data } = systemShape.safeParse(system);
  const { days, exclude } = data?.packages.minimum_dependency_age ?? { days: 0, exclude: [] };
  if (days === 0) return { own: [], others: [] };
  const others = [`--before=${new Date(Date.now() - days * DAY_MS).toISOString()}`];
  return { own: exclude.includes(name) ? [] : others, others };
}
