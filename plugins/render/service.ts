import type { Answer, AnswerCache, RequestContext } from "#kernel";
import type {} from "../cache/contract.js";
import type { ActiveTheme, ThemeHolder } from "./theme/active-theme.js";
import type { PageRequest, RenderService, TemplateOptions, ThemeTrial } from "./contract.js";
import { renderDocument, renderHtml, type RenderedDocument } from "./page/render-html.js";
import { renderError } from "./page/error-page.js";
import {
  isPersonal,
  openScope,
  readsOf,
  type RenderContext,
  type Scope,
} from "./page/render-context.js";
import { parseLanguage } from "./page/url.js";
import { baseProps, documentTitle } from "./page/page-props.js";
import { renderPage } from "./page/render-page.js";
import { themeConfig } from "./theme/theme-settings.js";

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

/** A template for a page that no file describes. */
interface TemplateTask {
  template: string;
  /** Props besides the common ones. */
  props: Readonly<Record<string, unknown>>;
  options: TemplateOptions;
}

async function renderTemplate(
  context: RenderContext,
  req: PageRequest,
  { template, props, options }: TemplateTask,
): Promise<Answer | null> {
  if (!context.theme().templates.has(template)) return null;
  const { settings } = context.site;
  const { title = "" } = options;
  const lang = parseLanguage(options.languageOf ?? req.ctx.path, settings.system.languages);
  const scope = openScope(context, req, { lang, view: options.view });
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
    cache: toCache(scope, document, options),
  };
}

function toCache(
  scope: Scope,
  { isShareable }: RenderedDocument,
  { cache = {} }: TemplateOptions,
): AnswerCache {
  const { search, dependsOn }: RequestContext = scope.req.ctx;
  // The query string is a prop, so a page is cached by its path and its declared parameters.
  const isNamed = search === "" || dependsOn !== undefined;
  const isCached = isShareable && isNamed && cache.tags !== undefined;
  return {
    until: scope.view.expiresAt,
    private: cache.private === true || isPersonal(scope),
    ...(isCached && { tags: readsOf(scope, cache.tags) }),
  };
}

/** The context for a page as it would look in a theme, with settings that are not saved. */
function trialContext(
  context: RenderContext,
  tried: ActiveTheme,
  { preset, look, custom }: ThemeTrial,
): RenderContext {
  const { site } = context;
  const config = themeConfig(tried.chain, {
    root: site.paths.root,
    custom,
    mode: site.runtime.env.mode,
  });
  const theme = { ...site.settings.site.theme, name: tried.name, custom, preset, look };
  const settings = { ...site.settings, site: { ...site.settings.site, theme } };
  const active = { ...tried, config };
  return { ...context, site: { ...site, settings }, theme: () => active };
}
