import type { Logger } from "#kernel";
import type { CollectionQuery } from "../../content/contract.js";
import { ThemeAssets } from "./assets.js";
import { type TemplateLoader, Templates } from "./templates.js";
import { ThemeStrings } from "./strings.js";
import { loadThemeChain } from "./theme.js";
import type { Theme, ThemeFolders } from "./theme.js";
import { assertSettings, themeConfig } from "./theme-settings.js";

/** Everything that depends on the active theme; replaced as a unit when it changes. */
export interface ActiveTheme {
  readonly name: string;
  readonly chain: readonly Theme[];
  readonly templates: Templates;
  readonly strings: ThemeStrings;
  readonly assets: ThemeAssets;
  /** Settings: defaults of the theme chain, then `theme.custom`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Default collection of a template, for pages without one. */
  collectionOf(template: string): CollectionQuery | undefined;
}
/** Dependencies of loading a theme. */
export interface ThemeSources {
  places: ThemeFolders;
  loader: TemplateLoader;
  /** Template folders of plugins. */
  pluginTemplates: readonly string[];
  log: Logger;
}

/**
 * Loads a theme with its parents. `assetBase`: where its files are served, when it is not the active one.
 * @throws the errors of `loadThemeChain`.
 */
export async function loadActiveTheme(
  sources: ThemeSources,
  name: string,
  assetBase?: string,
): Promise<ActiveTheme> {
  const chain = await loadThemeChain(sources.places, name);
  const { root, settings, kinds, mode } = sources.places;
  const folders = chain.map((theme) => theme.folder);
  const parentFirst = chain.toReversed().map((theme) => theme.manifest);
  const collections: Record<string, CollectionQuery> = Object.assign(
    {},
    ...parentFirst.map((manifest) => manifest.collections),
  );
  return {
    name,
    chain,
    templates: new Templates(sources.loader, { themes: folders, plugins: sources.pluginTemplates }),
    strings: new ThemeStrings(folders, sources.log),
    assets: new ThemeAssets(chain, assetBase),
    config: themeConfig(chain, { root, custom: settings.theme.custom, kinds, mode }),
    collectionOf: (template) =>
      Object.hasOwn(collections, template) ? collections[template] : undefined,
  };
}

/**
 * Loads a theme that becomes the active one. Safe mode serves the packaged theme, whatever the settings are.
 * @throws the errors of `loadThemeChain`; ERR_THEME_SETTING.
 */
export async function loadCheckedTheme(sources: ThemeSources, name: string): Promise<ActiveTheme> {
  const theme = await loadActiveTheme(sources, name);
  const { root, settings, kinds, mode, packagedOnly } = sources.places;
  if (packagedOnly !== true) {
    assertSettings(theme.chain, { root, custom: settings.theme.custom, kinds, mode });
  }
  return theme;
}
