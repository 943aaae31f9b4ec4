import type { Answer, AnswerCache } from "#kernel";
import { callCheck, expectText, type InternalContext, type KindLookup } from "#kernel/internal";
import type {} from "../cache/contract.js";
import type { Asset } from "./theme/assets.js";
import {
  loadActiveTheme,
  loadCheckedTheme,
  type ActiveTheme,
  type ThemeSources,
} from "./theme/active-theme.js";
import type {
  InstalledTheme,
  OtherTheme,
  PageRequest,
  RenderService,
  ThemeTrial,
} from "./contract.js";
import { renderDocument } from "./page/document.js";
import { renderError } from "./page/error-page.js";
import {
  isPersonal,
  openScope,
  readsOf,
  type RenderContext,
  type Scope,
} from "./page/render-context.js";
import { installedThemes } from "./theme/theme.js";
import { languageOf } from "./page/url.js";
import { baseProps, documentTitle } from "./page/page-props.js";
import { renderHtml, type RenderedDocument } from "./page/render-html.js";
import { renderPage } from "./page/render-page.js";
import { themeConfig } from "./theme/theme-settings.js";

type TemplateOptions = NonNullable<Parameters<RenderService["renderTemplate"]>[3]>;

const assertFolder = callCheck(
  "render.addTemplates",
  { folder: expectText },
  'await site.use("render").addTemplates(fileURLToPath(new URL("templates", import.meta.url)))',
);

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

  /** The exports of a theme module. */
  module(file: string): Promise<Readonly<Record<string, unknown>>> {
    return this.#sources.loader.load(file);
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

/** The service `render`. */
export function createRenderService(context: RenderContext, holder: ThemeHolder): RenderService {
  return {
    get theme() {
      return holder.active.name;
    },
    get themes() {
      return holder.active.chain.map(({ manifest: _manifest, ...info }) => info);
    },
    templates: () => holder.active.templates.names,
    has: (template) => holder.active.templates.has(template),
    renderTemplate: async (...[req, template, props, options]) =>
      context.renders.run(req, () =>
        renderTemplate(context, req, { template, props, options: options ?? {} }),
      ),
    renderPage: async (req, match, { trial, ...options } = {}) => {
      const used =
        trial === undefined
          ? context
          : trialContext(context, await holder.tried(trial.other ?? null), trial);
      return context.renders.run(req, () => renderPage(used, req, { match, ...options }));
    },
    installed: () => holder.installed(),
    triedFile: (theme, path) => holder.triedFile(theme, path),
    renderError: (req, error) => renderError(context, req, error),
    missingStrings: (lang) => holder.active.strings.missing(lang),
    texts: (lang) => holder.active.strings.of(lang),
    addTemplates: (folder) => holder.addTemplates(folder),
    async switchTheme(name) {
      const from = holder.active.name;
      await holder.load(name);
      context.site.use("cache", { optional: true })?.invalidate(["theme"]);
      if (from !== name) context.site.hooks.notify("onThemeSwitch", { from, to: name });
    },
    document: renderDocument,
  };
}

async function renderTemplate(
  context: RenderContext,
  req: PageRequest,
  task: { template: string; props: Readonly<Record<string, unknown>>; options: TemplateOptions },
): Promise<Answer | null> {
  const { template, props, options } = task;
  if (!context.theme().templates.has(template)) return null;
  const { settings } = context.site;
  const { title = "" } = options;
  const place = options.languageOf ?? req.ctx.path ?? "/";
  const lang = languageOf(place, settings.system.languages);
  const scope = openScope(context, req, { lang, ...(options.view && { view: options.view }) });
  const base = await baseProps(context, scope);
  const all = Object.assign(base, {
    pageTitle: documentTitle(typeof title === "string" ? title : title(base.t), base.site.title),
    head: context.head.of(req, null),
    ...props,
  });
  const document = await renderHtml(context, scope, { template, props: all, page: null });
  return {
    status: options.status ?? 200,
    type: "text/html; charset=utf-8",
    body: document.html,
    cache: cacheOf(scope, document, options),
  };
}

function cacheOf(
  scope: Scope,
  { isShareable }: RenderedDocument,
  { cache = {} }: TemplateOptions,
): AnswerCache {
  const isCached = isShareable && isNamed(scope.req) && cache.tags !== undefined;
  return {
    until: scope.view.expiresAt,
    private: cache.private === true || isPersonal(scope),
    ...(isCached && { tags: readsOf(scope, cache.tags) }),
  };
}

/** The query string is a prop, so a page is cached by its path and its declared parameters. */
function isNamed({ ctx }: { readonly ctx: InternalContext }): boolean {
  return ctx.search === "" || ctx.dependsOn !== undefined;
}

/** The context for a page as it would look in a theme, with settings that are not saved. */
function trialContext(
  context: RenderContext,
  tried: ActiveTheme,
  { preset, custom }: ThemeTrial,
): RenderContext {
  const { site } = context;
  const config = themeConfig(tried.chain, {
    root: site.paths.root,
    custom,
    mode: site.runtime.env.mode,
  });
  const theme = { ...site.settings.site.theme, name: tried.name, custom, preset };
  const settings = { ...site.settings, site: { ...site.settings.site, theme } };
  const active = { ...tried, config };
  return { ...context, site: { ...site, settings }, theme: () => active };
}
