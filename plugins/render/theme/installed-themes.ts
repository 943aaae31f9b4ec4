import { SiteError } from "#kernel";
import type { InstalledTheme } from "../contract.js";
import { themeNames, loadThemeChain, type Theme, type ThemeFolders } from "./theme.js";

/** Every theme that can be chosen; one that cannot be loaded has the reason. */
export async function installedThemes(places: ThemeFolders): Promise<readonly InstalledTheme[]> {
  const names = new Set([places.settings.theme.name, ...themeNames(places)]);
  return Promise.all([...names].map((name) => installed(places, name)));
}

async function installed(places: ThemeFolders, name: string): Promise<InstalledTheme> {
  try {
    return described(await loadThemeChain(places, name), name);
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    const { message, fix } = error;
    const problem = fix === undefined ? message : `${message}; ${fix}`;
    const unknown = { version: "", description: "", parent: null, colors: [], fields: {} };
    return { name, ...unknown, problem };
  }
}

/** Fields of a theme come over those of its parents. */
function described(chain: readonly Theme[], name: string): InstalledTheme {
  const [theme] = chain;
  if (theme === undefined) throw new SiteError("ERR_THEME_MISSING", `no theme is named ${name}`);
  const { version, description, parent } = theme;
  const { colors } = theme.manifest;
  const fields = Object.assign({}, ...chain.toReversed().map(({ manifest }) => manifest.fields));
  return { name, version, description, parent, colors, fields, problem: null };
}
