import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { safeJoin, SiteError } from "#kernel";
import type { SettingsProblem, SiteSettings } from "#kernel";
import { nearest, packageRoot, runningFile } from "#kernel/internal";
import type { ThemeInfo } from "../contract.js";
import { readManifest } from "./manifest.js";
import type { Manifest } from "./manifest.js";
import { sourceFolder } from "./theme-source.js";
import { renderFailure } from "../errors.js";

/** A theme of the chain with its manifest. */
export interface Theme extends ThemeInfo {
  readonly manifest: Manifest;
}
/** Locations of themes. */
export interface ThemeFolders {
  root: string;
  settings: Pick<SiteSettings, "themes"> & {
    theme: Pick<SiteSettings["theme"], "name" | "src" | "parent" | "custom">;
  };
  /** True in dev mode: uses the package's sources when the site root is the package. */
  preferSources: boolean;
  /** True in safe mode: ignores all themes of the site, including the configured one. */
  packagedOnly?: boolean;
}

const SAFE_NAME = /^[A-Za-z0-9_-]+$/;
/** Name of the packaged theme. */
export const PACKAGED_THEME = "default";

/** Folder of the packaged theme; compiled when the package is compiled. */
export function packagedThemeFolder(): string {
  return runningFile(`themes/${PACKAGED_THEME}`);
}

/**
 * The theme and its parents, the theme first.
 * @throws ERR_THEME_MISSING, ERR_THEME_CYCLE, ERR_THEME_MANIFEST, ERR_THEME_SOURCE.
 */
export async function loadThemeChain(
  places: ThemeFolders,
  name: string,
): Promise<readonly Theme[]> {
  const chain: Theme[] = [];
  let next: string | null = name;
  while (next !== null) {
    const names = chain.map((theme) => theme.name);
    if (names.includes(next)) throw circle([...names, next]);
    const theme: Theme = await loadTheme(places, next);
    chain.push(theme);
    next = theme.parent;
  }
  return chain;
}

async function loadTheme(places: ThemeFolders, name: string): Promise<Theme> {
  const { folder, origin } = await locate(places, name);
  const manifest = readManifest(folder, places.root);
  const { version, description } = manifest;
  return {
    name,
    version,
    description,
    parent: parentOf(places, name, manifest),
    folder,
    origin,
    manifest,
  };
}

async function locate(
  places: ThemeFolders,
  name: string,
): Promise<{ folder: string; origin: Theme["origin"] }> {
  if (places.packagedOnly === true) return { folder: packagedThemeFolder(), origin: "package" };
  const src = sourceOf(places, name);
  if (src !== undefined) return { folder: await sourceFolder(places.root, src), origin: "source" };
  const local = localFolder(places, name);
  if (local !== null) return { folder: local, origin: "site" };
  if (name === PACKAGED_THEME) return { folder: packagedThemeFolder(), origin: "package" };
  throw missing(places, name);
}

function localFolder(places: ThemeFolders, name: string): string | null {
  if (!SAFE_NAME.test(name)) return null;
  const folder = join(places.root, "themes", name);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return null;
  // The package's checkout is itself a site: its theme is also served compiled.
  const isOwn =
    name === PACKAGED_THEME && isSame(folder, join(packageRoot(), "themes", PACKAGED_THEME));
  return isOwn && !places.preferSources ? null : folder;
}

function isSame(a: string, b: string): boolean {
  return existsSync(b) && realpathSync(a) === realpathSync(b);
}

/**
 * Reports what makes the configured theme or one of its parents unusable: it does not exist, its `theme.yaml`
 * has a mistake, or the parents form a circle. Loads no code; the chain ends at a theme from a package.
 */
export function themeProblems(places: ThemeFolders): SettingsProblem[] {
  const { name } = places.settings.theme;
  const names: string[] = [];
  try {
    let next: string | null = name;
    while (next !== null) {
      if (names.includes(next)) throw circle([...names, next]);
      names.push(next);
      const folder = folderOf(places, next);
      if (folder === null) return [];
      next = parentOf(places, next, readManifest(folder, places.root));
    }
    return [];
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    const expected = `a theme that can be loaded: ${error.message}`;
    const fix = error.fix ?? "correct the theme";
    return [{ file: "site", key: "theme.name", received: name, expected, fix }];
  }
}

/**
 * Folder of a theme that is here without an installation; null for one from a package.
 * @throws ERR_THEME_MISSING.
 */
function folderOf(places: ThemeFolders, name: string): string | null {
  const src = sourceOf(places, name);
  if (src !== undefined) return src.startsWith("./") ? safeJoin(places.root, src) : null;
  const local = localFolder(places, name);
  if (local !== null) return local;
  if (name === PACKAGED_THEME) return packagedThemeFolder();
  throw missing(places, name);
}

/** The configured `src` of a theme; undefined without one. */
function sourceOf({ settings: { theme, themes } }: ThemeFolders, name: string): string | undefined {
  const named = themes.find((entry) => entry.name === name)?.src;
  return name === theme.name ? (theme.src ?? named) : named;
}

function parentOf({ settings: { theme } }: ThemeFolders, name: string, own: Manifest) {
  return (name === theme.name ? theme.parent : null) ?? own.parent;
}

function circle(names: readonly string[]): SiteError {
  const message = `themes are parents in a circle: ${names.join(" → ")}`;
  return renderFailure("ERR_THEME_CYCLE", message, { fix: "remove one `parent`" });
}

function missing(places: ThemeFolders, name: string): SiteError {
  const known = themeNames(places).join(", ");
  const message = `no theme is named ${JSON.stringify(name)} (there are: ${known})`;
  return renderFailure("ERR_THEME_MISSING", message, { fix: missingFix(places, name) });
}

function missingFix(places: ThemeFolders, name: string): string {
  const guess = nearest(name, themeNames(places));
  return guess === null
    ? `make themes/${name}/ or correct theme.name`
    : `did you mean ${JSON.stringify(guess)}?`;
}

/** Names of all themes: those of the package, of `themes/`, and of `themes:` in site.yaml. */
export function themeNames({ root, settings }: ThemeFolders): string[] {
  const configured = settings.themes.map(({ name }) => name);
  return [...new Set([PACKAGED_THEME, ...configured, ...foldersIn(root)])];
}

function foldersIn(root: string): string[] {
  try {
    const entries = readdirSync(join(root, "themes"), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch {
    return [];
  }
}
