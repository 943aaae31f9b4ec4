import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { safeJoin, SiteError, type SettingsProblem, type SiteSettings } from "#kernel";
import { nearest } from "#lib/values";
import { packageRoot, runningFile } from "#lib/packages";
import type { KindLookup } from "#lib/fields";
import type { ThemeInfo, InstalledTheme } from "../contract.js";
import { renderFailure } from "../errors.js";
import { manifestFailure, readManifest, type Manifest } from "./manifest.js";
import {
  formatPlace,
  locateKey,
  readSiteFiles,
  assertConditions,
  chainLooks,
  customProblems,
  lookProblems,
  mergeFields,
  type ThemeSchema,
} from "./theme-settings.js";
import { sourceFolder } from "./theme-source.js";

/** A theme of the chain with its manifest. */
export interface Theme extends ThemeInfo {
  readonly manifest: Manifest;
}
/** Locations of themes. */
export interface ThemeFolders {
  root: string;
  settings: Pick<SiteSettings, "themes"> & {
    theme: Pick<SiteSettings["theme"], "name" | "src" | "parent" | "custom" | "look">;
  };
  /** True in dev mode: uses the package's sources when the site root is the package. */
  preferSources: boolean;
  /** True in safe mode: ignores all themes of the site, including the configured one. */
  packagedOnly?: boolean;
  /** Kinds that settings may have; default: any. */
  kinds?: KindLookup;
  /** Mode of the site, whose `env/{mode}/site.yaml` messages name; default: none. */
  mode?: string;
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
    const fault = namingFault(places, chain, next);
    if (fault !== null) throw misnamed(places, next, fault);
    const theme: Theme = await loadTheme(places, next);
    chain.push(theme);
    next = theme.parent;
  }
  return chain;
}

async function loadTheme(places: ThemeFolders, name: string): Promise<Theme> {
  const { folder, origin } = await locate(places, name);
  const manifest = readManifest(folder, places.root, places.kinds);
  const { version, description } = manifest;
  return {
    name,
    version,
    description,
    parent: findParent(places, name, manifest),
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
  const src = findSource(places, name);
  if (src !== undefined) return { folder: await sourceFolder(places.root, src), origin: "source" };
  const local = localFolder(places, name);
  return local === null
    ? { folder: packagedThemeFolder(), origin: "package" }
    : { folder: local, origin: "site" };
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
 * has a mistake, the parents form a circle, or `theme.custom` does not fit. Loads no code; the chain ends at a
 * theme from a package.
 */
export function themeProblems(places: ThemeFolders): SettingsProblem[] {
  const { root, kinds } = places;
  const { name, parent, custom, look } = places.settings.theme;
  const chain: (ThemeSchema & Named)[] = [];
  try {
    let next: string | null = name;
    while (next !== null) {
      const fault = namingFault(places, chain, next);
      if (fault !== null) {
        const key = fault.key ?? "theme.name";
        const why = fault.key === null ? misnamed(places, next, fault).message : fault.why;
        const received = key === "theme.name" ? name : parent;
        return [{ file: "site", key, received, expected: loadable(why), fix: fault.fix }];
      }
      const folder = findFolder(places, next);
      // Reading its manifest takes a tenth of a check; without settings for it there is nothing to compare.
      if (folder === null || (folder === packagedThemeFolder() && isPlain(places, next))) return [];
      const manifest = readManifest(folder, root, kinds);
      chain.push({ name: next, folder, manifest });
      next = findParent(places, next, manifest);
    }
    assertConditions(chain, root);
    return [...lookProblems(chain, look), ...customProblems(chain, { root, custom, kinds })];
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    const { message, fix = "correct the theme" } = error;
    return [{ file: "site", key: "theme.name", received: name, expected: loadable(message), fix }];
  }
}

/** True for a theme alone, with no setting of the site for it. */
function isPlain({ settings: { theme } }: ThemeFolders, name: string): boolean {
  const { parent, custom, look } = theme;
  return (
    name === theme.name && parent === null && look === null && Object.keys(custom).length === 0
  );
}

function loadable(why: string): string {
  return `a theme that can be loaded: ${why}`;
}

/** Folder of a theme that is here without an installation; null for one from a package. */
function findFolder(places: ThemeFolders, name: string): string | null {
  const src = findSource(places, name);
  if (src !== undefined) return src.startsWith("./") ? safeJoin(places.root, src) : null;
  return localFolder(places, name) ?? packagedThemeFolder();
}

/** The configured `src` of a theme; undefined without one. */
function findSource(
  { settings: { theme, themes } }: ThemeFolders,
  name: string,
): string | undefined {
  const named = themes.find((entry) => entry.name === name)?.src;
  return name === theme.name ? (theme.src ?? named) : named;
}

function findParent({ settings: { theme } }: ThemeFolders, name: string, manifest: Manifest) {
  return (name === theme.name ? theme.parent : null) ?? manifest.parent;
}

type Named = Pick<Theme, "name" | "folder">;

/** Why the next theme of a chain cannot be used. */
interface NamingFault {
  readonly code: "ERR_THEME_MISSING" | "ERR_THEME_CYCLE";
  readonly why: string;
  readonly fix: string;
  /** The key of site.yaml that names it; null: the `theme.yaml` of the theme before it. */
  readonly key: "theme.name" | "theme.parent" | null;
  /** The theme before it. */
  readonly child: Named | undefined;
}

/** A theme that does not exist, or that is in the chain already. */
function namingFault(
  places: ThemeFolders,
  chain: readonly Named[],
  next: string,
): NamingFault | null {
  const child = chain.at(-1);
  const key = namingKey(places, child);
  const names = chain.map(({ name }) => name);
  const code = names.includes(next) ? "ERR_THEME_CYCLE" : "ERR_THEME_MISSING";
  if (code === "ERR_THEME_MISSING" && isThere(places, next)) return null;
  if (child?.name === next) {
    const why = `${JSON.stringify(next)} is this theme itself`;
    return { code, why, fix: "name another theme, or remove the key", key, child };
  }
  if (code === "ERR_THEME_CYCLE") {
    const why = `themes are parents in a circle: ${[...names, next].join(" → ")}`;
    return { code, why, fix: "remove one `parent`", key, child };
  }
  const there = themeNames(places);
  const others = there.filter((name) => !names.includes(name));
  const meant = nearest(next, others);
  const fix =
    meant === null
      ? `make themes/${next}/ or correct ${key ?? "parent"}`
      : `did you mean ${JSON.stringify(meant)}?`;
  const why = `no theme is named ${JSON.stringify(next)} (there are: ${there.join(", ")})`;
  return { code, why, fix, key, child };
}

function namingKey(
  { settings: { theme } }: ThemeFolders,
  child: Named | undefined,
): NamingFault["key"] {
  if (child === undefined) return "theme.name";
  return child.name === theme.name && theme.parent !== null ? "theme.parent" : null;
}

function isThere(places: ThemeFolders, name: string): boolean {
  if (places.packagedOnly === true || name === PACKAGED_THEME) return true;
  return findSource(places, name) !== undefined || localFolder(places, name) !== null;
}

/** The error for a fault, with the file and line that name the theme. */
function misnamed(
  { root, settings, mode }: ThemeFolders,
  name: string,
  { code, why, fix, key, child }: NamingFault,
): SiteError {
  if (key === null && child !== undefined) {
    const { folder } = child;
    const mistake = { path: ["parent"], why: `parent: ${why}`, fix };
    return manifestFailure({ folder, root }, mistake, code);
  }
  // Another one than the configured theme: from a preview, or a plugin.
  if (key === null || (key === "theme.name" && name !== settings.theme.name)) {
    return renderFailure(code, why, { fix });
  }
  const location = formatPlace(locateKey(readSiteFiles(root, mode), key.split(".")));
  const cause = new Error(`${why}\n${join(root, location)}:1`);
  return renderFailure(code, `${location}: ${key}: ${why}`, { fix, cause });
}

/** Names of all themes: those of the package, of `themes/`, and of `themes:` in site.yaml. */
export function themeNames({ root, settings }: ThemeFolders): string[] {
  const configured = settings.themes.map(({ name }) => name);
  return [...new Set([PACKAGED_THEME, ...configured, ...listFolders(root)])];
}

function listFolders(root: string): string[] {
  try {
    const entries = readdirSync(join(root, "themes"), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** Every theme that can be chosen; one that cannot be loaded has the reason. */
export async function installedThemes(places: ThemeFolders): Promise<readonly InstalledTheme[]> {
  const names = new Set([places.settings.theme.name, ...themeNames(places)]);
  return Promise.all([...names].map((name) => installed(places, name)));
}

async function installed(places: ThemeFolders, name: string): Promise<InstalledTheme> {
  try {
    return described(await loadThemeChain(places, name), name, places);
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    const { message, fix } = error;
    const problem = fix === undefined ? message : `${message}; ${fix}`;
    const unknown = {
      version: "",
      description: "",
      parent: null,
      colors: [],
      fields: [],
      looks: {},
    };
    return { name, ...unknown, problem };
  }
}

/** Fields of a theme come over those of its parents. */
function described(
  chain: readonly Theme[],
  name: string,
  places: Pick<ThemeFolders, "kinds">,
): InstalledTheme {
  const [theme] = chain;
  if (theme === undefined) throw new SiteError("ERR_THEME_MISSING", `no theme is named ${name}`);
  const { version, description, parent } = theme;
  const { colors } = theme.manifest;
  const fields = mergeFields(chain, places);
  const looks = chainLooks(chain);
  return { name, version, description, parent, colors, fields, looks, problem: null };
}
