/** The service that renders pages, with its hooks, its extension lists and its settings. */
import type { Request } from "express";
import type { Answer, AnswerCache, Field, NotifyHook, TransformHook } from "#kernel";
import type { ContentView, PageEntry, PageMatch } from "../../content/contract.js";
import type { TemplateProps } from "./templates.js";
import type { Preset } from "./views.js";

/** An HTTP request, for callers that render without speaking HTTP themselves. */
export type PageRequest = Request;

/** One theme of the active chain. */
export interface ThemeInfo {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly parent: string | null;
  /** Absolute folder. */
  readonly folder: string;
  /** Origin: the site root, the package, or `theme.src`. */
  readonly origin: "site" | "package" | "source";
}

/** A theme that can be chosen. */
export interface InstalledTheme {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly parent: string | null;
  /** Its main colors, `#rrggbb`. */
  readonly colors: readonly string[];
  /** The settings that `config_schema` of its theme.yaml and of its parents describes. */
  readonly fields: readonly Field[];
  /** `looks` of its theme.yaml, else of the nearest parent that has some: descriptions by name. */
  readonly looks: Readonly<Record<string, string>>;
  /** Why it cannot be used; null when it can. */
  readonly problem: string | null;
}

/** An installed theme that is not the active one. */
export interface OtherTheme {
  readonly name: string;
  /** Address below which the files of its `static/` folders are served: `{assetBase}/{theme}/static/…`. */
  readonly assetBase: string;
}

/** A theme and settings of the theme that are not saved. */
export interface ThemeTrial {
  /** Default: the active theme. */
  readonly other?: OtherTheme | undefined;
  readonly preset: Preset;
  /** In place of `theme.look`; one that the theme does not have is ignored. */
  readonly look: string | null;
  /** In place of `theme.custom`. */
  readonly custom: Record<string, unknown>;
}

/** Properties of a page that is rendered from a template. */
export interface TemplateOptions {
  /** Default: 200. */
  status?: number;
  /** A function creates it from the theme's strings, in the language of the page. */
  title?: string | ((t: TemplateProps["t"]) => string);
  /** Tags of the caller's data; without tags the page is not cached. */
  cache?: Pick<AnswerCache, "tags" | "private">;
  /** A path that determines the language of the page; default: that of the request. */
  languageOf?: string;
  /** The view that read the data, so that what it read counts. */
  view?: ContentView;
}

/** Options of rendering a page entry. */
export interface PageOptions {
  /** Default: a view of the visitor. */
  view?: ContentView;
  /** Default: the path of the request. */
  path?: string;
  /** A theme and settings that are tried and not saved. */
  trial?: ThemeTrial;
}

/** An error to show as a page. */
export interface PageFailure {
  /** HTTP status. */
  status: number;
  /** Shown to visitors, except for a server error. */
  message: string;
}

/** Contents of a document in the built-in style; `body` and `head` are trusted HTML. */
export interface DocumentOptions {
  title: string;
  body: string;
  /** With a nonce, the style is inline and needs no second request. */
  nonce?: string;
  /** Default: `en`. */
  lang?: string;
  head?: string;
}

/**
 * Themes and HTML pages.
 *
 * @example
 * const render = site.use("render");
 * site.http.use("pages", async (req, res, next) => {
 *   if (req.ctx.path !== "/boats") return next();
 *   const answer = await render.renderTemplate(req, "boats", { boats: ["Aurora"] }, { title: "Boats" });
 *   if (answer) site.http.send(req, res, answer);
 * });
 */
export interface RenderService {
  /** Name of the active theme. */
  readonly theme: string;
  /** Template names of the theme chain and of plugins, sorted. */
  templates(): readonly string[];
  has(template: string): boolean;
  /**
   * The HTML response of a template with further props; null when no theme of the chain has the
   * template. The caller passes the tags of its own data; without tags the page is not cached.
   */
  renderTemplate(
    req: Request,
    template: string,
    props: Readonly<Record<string, unknown>>,
    options?: TemplateOptions,
  ): Promise<Answer | null>;
  /**
   * The HTML response of a page entry, as in the catch-all route. `view` and `path` replace those of the
   * request.
   */
  renderPage(req: Request, match: PageMatch, options?: PageOptions): Promise<Answer>;
  /** Every theme that can be chosen, the configured one first. */
  installed(): Promise<readonly InstalledTheme[]>;
  /** A file of the other theme that `renderPage` has tried last, or of its parents; null: it has none. */
  triedFile(theme: string, path: string): { readonly body: Buffer; readonly type: string } | null;
  /** An error page by template `error` (or `errors/403`), else the built-in one. */
  renderError(req: Request, error: PageFailure): Promise<Answer>;
  /**
   * Activates another theme for all further requests, and fires onThemeSwitch.
   * @throws ERR_THEME_MISSING, ERR_THEME_CYCLE, ERR_THEME_MANIFEST, ERR_THEME_SETTING; the old theme then
   * stays active.
   */
  switchTheme(name: string): Promise<void>;
  /** The loaded chain, the active theme first: names, folders and settings. */
  readonly themes: readonly ThemeInfo[];
  /** Keys of the themes' strings that a language lacks: they are shown in English. */
  missingStrings(lang: string): readonly string[];
  /** The texts of the active theme in a language, for HTML that no template draws. */
  texts(lang: string): TemplateProps["t"];
  /** Adds a folder (absolute) of templates, which follows the theme chain. */
  addTemplates(folder: string): Promise<void>;
  /** Renders a component as a minimal HTML document, for pages without a template in any theme. */
  document(options: DocumentOptions): string;
}

/** A page that is about to be rendered. What is read must be noted in the view. */
export interface PagePropsInput {
  readonly req: Request;
  readonly entry: PageEntry;
  readonly view: ContentView;
  readonly lang: string;
  readonly t: TemplateProps["t"];
}

/** More props of a page. */
export type PageProps = (input: PagePropsInput) => Promise<Readonly<Record<string, unknown>>>;

/** Markup for the `<head>` of a page. */
export type PageHead = (req: Request) => string;

declare module "#kernel" {
  interface Services {
    render: RenderService;
  }
  interface Extensions {
    /**
     * Markup for every page's `<head>`, constant for a request path; the site uses that of all
     * plugins.
     *
     * @example
     * site.extensions.add("pageHead", () => '<link rel="me" href="https://example.com/@me">');
     */
    pageHead: PageHead;
    /**
     * More props of pages, for templates; the site uses those of all plugins.
     *
     * @example
     * site.extensions.add("pageProps", async ({ entry, view }) => {
     *   view.reads.add("tides");
     *   return { tide: entry.route === "/harbour" ? "high" : null };
     * });
     */
    pageProps: PageProps;
  }
  interface HookMap {
    /**
     * Before a template is rendered; a handler may change its props or select another template.
     *
     * @example
     * site.hooks.on("onBeforeRender", ({ data, setData }) => {
     *   if (data.req.ctx.path.startsWith("/print/")) setData({ ...data, template: "print" });
     * });
     */
    onBeforeRender: TransformHook<{
      req: Request;
      page: PageEntry | null;
      template: string;
      props: TemplateProps;
    }>;
    /**
     * When a page has been rendered; a handler may change its HTML.
     *
     * @example
     * site.hooks.on("onAfterRender", ({ data, setData }) => {
     *   setData({ ...data, html: data.html.replace("</body>", "<!-- harbour --></body>") });
     * });
     */
    onAfterRender: TransformHook<{ req: Request; page: PageEntry | null; html: string }>;
    /**
     * After another theme was activated.
     *
     * @example
     * site.hooks.on("onThemeSwitch", ({ data, log }) => log.info("themes.switched", { ...data }));
     */
    onThemeSwitch: NotifyHook<{ from: string; to: string }>;
  }
  interface SiteSettings {
    theme: {
      name: string;
      src: string | null;
      parent: string | null;
      custom: Record<string, unknown>;
      preset: Preset;
      look: string | null;
      edit_url: string | null;
      last_change: boolean | null;
      listings: boolean | null;
    };
    /** Title to route of the folder, the latest version first. */
    versions: Record<string, string>;
    themes: { name: string; src: string }[];
  }
}
