import { existsSync } from "node:fs";
import { join } from "node:path";
import { callCheck, type Logger, type SiteContext } from "#kernel";
import type { KindLookup } from "#lib/fields";
import { expectText } from "#lib/values";
import type { CollectionQuery } from "../../content/contract.js";
import type { InstalledTheme, OtherTheme } from "../contract.js";
import { ThemeAssets, type Asset } from "./assets.js";
import { openKinds } from "./manifest.js";
import { ThemeStrings } from "./strings.js";
import { TemplateLoader, Templates } from "./templates.js";
import {
  installedThemes,
  loadThemeChain,
  PACKAGED_THEME,
  type Theme,
  type ThemeFolders,
} from "./theme.js";
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
    const { custom, look } = settings.theme;
    assertSettings(theme.chain, { root, custom, look, kinds, mode });
  }
  return theme;
}

const assertFolder = callCheck(
  "render.addTemplates",
  { folder: expectText },
  'await site.use("render").addTemplates(fileURLToPath(new URL("templates", import.meta.url)))',
);

const COMPONENT_FILES = ["mdx-components.tsx", "mdx-components.ts", "mdx-components.js"];

/** The active theme and how it is replaced. */
export class ThemeHolder {
  readonly #sources: ThemeSources;
  #active: ActiveTheme;
  /** Loaded for previews; dropped when the active theme is loaded again. */
  #tried: { theme: ActiveTheme; of: ActiveTheme } | null = null;

  constructor(sources: ThemeSources, active: ActiveTheme) {
    this.#sources = sources;
    this.#active = active;
  }

  get active(): ActiveTheme {
    return this.#active;
  }

  /** Loads and activates a theme; after an error the old one stays active. */
  async load(name: string): Promise<void> {
    this.#active = await loadCheckedTheme(this.#sources, name);
  }

  /**
   * Loads the active theme again, now that all plugins have added their kinds of fields.
   * @throws ERR_THEME_MANIFEST for a setting of a kind that does not exist; ERR_THEME_SETTING.
   */
  async setKinds(kinds: KindLookup): Promise<void> {
    const { places } = this.#sources;
    const open = places.kinds;
    this.#sources.places = { ...places, kinds };
    const isOther = this.#active.chain.some(({ manifest }) =>
      Object.values(manifest.fields).some(({ type = "" }) => {
        const name = String(type);
        return open?.get(name) !== kinds.get(name);
      }),
    );
    if (isOther) await this.load(this.#active.name);
  }

  /**
   * The active theme, or another one for a preview; only the last of those stays loaded.
   * @throws the errors of `loadActiveTheme`.
   */
  async tried(other: OtherTheme | null): Promise<ActiveTheme> {
    if (other === null || other.name === this.#active.name) return this.#active;
    const isLoaded = this.#tried?.of === this.#active && this.#tried.theme.name === other.name;
    if (this.#tried !== null && isLoaded) return this.#tried.theme;
    const theme = await loadActiveTheme(this.#sources, other.name, other.assetBase);
    this.#tried = { theme, of: this.#active };
    return theme;
  }

  /** A file of the theme that was tried last, or of its parents. */
  triedFile(theme: string, path: string): Asset | null {
    return this.#tried?.theme.assets.get(theme, path) ?? null;
  }

  /** Every theme that can be chosen. */
  installed(): Promise<readonly InstalledTheme[]> {
    return installedThemes(this.#sources.places);
  }

  /** Components for MDX from `mdx-components` of the theme chain; the child overrides the parent. */
  async mdxComponents(): Promise<Readonly<Record<string, unknown>>> {
    const components: Record<string, unknown> = {};
    for (const theme of this.#active.chain.toReversed()) {
      const files = COMPONENT_FILES.map((name) => join(theme.folder, name));
      const file = files.find((path) => existsSync(path));
      if (file === undefined) continue;
      const { default: main, ...named } = await this.#sources.loader.load(file);
      if (typeof main === "object" && main !== null) Object.assign(components, main);
      Object.assign(components, named);
    }
    return components;
  }

  /** Reloads the files of the active theme. */
  async reload(): Promise<void> {
    await this.#sources.loader.invalidate();
    await this.load(this.#active.name);
  }

  /** Adds a folder of plugin templates. */
  async addTemplates(folder: string): Promise<void> {
    assertFolder(folder);
    this.#sources.pluginTemplates = [...this.#sources.pluginTemplates, folder];
    await this.load(this.#active.name);
  }
}

/** The configured theme; the packaged one in safe mode. */
export async function openTheme(site: SiteContext): Promise<ThemeHolder> {
  const { theme, themes } = site.settings.site;
  const sources = {
    places: {
      root: site.paths.root,
      settings: { theme, themes },
      preferSources: site.runtime.env.mode === "dev",
      packagedOnly: site.lifecycle.safe,
      kinds: openKinds(site.use("content").fieldKinds),
      mode: site.runtime.env.mode,
    },
    loader: new TemplateLoader(site.paths.root, site.runtime.modules),
    pluginTemplates: site.runtime.templateFolders,
    log: site.log,
  };
  const name = site.lifecycle.safe ? PACKAGED_THEME : theme.name;
  return new ThemeHolder(sources, await loadCheckedTheme(sources, name));
}
