import { expectKind, assertServed, type SiteContext } from "#kernel";
import { openTheme } from "./theme/active-theme.js";
import { Breadcrumbs } from "./page/views/page-links.js";
import { CollectionViews } from "./page/views/collection-view.js";
import { ContentNotices, Mistakes } from "./dev/mistakes.js";
import { ErrorPages } from "./page/error-page-cache.js";
import { Head } from "./page/head.js";
import { RenderQueue, type RenderContext } from "./page/render-context.js";
import { reloadOnChange } from "./dev/live-reload.js";
import { MarkupCache } from "./page/markup-cache.js";
import { Pictures } from "./page/views/pictures.js";
import { momentPages } from "./moment-pages.js";
import { mountListings } from "./reading/listing-pages.js";
import { Reading } from "./reading/reading.js";
import { mistakeName, mountPages, type DevTools } from "./routes.js";
import { createRenderService } from "./service.js";
import { SharedProps } from "./page/shared-props.js";
import { declareStaticRoutes } from "./static-routes.js";
import { settingProblems } from "./theme/theme-settings.js";
import type { ContentService, ContentView, PageEntry, Viewer } from "../content/contract.js";

/** Registers what the plugin does in a site that starts. */
export async function setUpRender(site: SiteContext): Promise<void> {
  const holder = await openTheme(site);
  const markdown = site.use("markdown");
  const content = site.use("content");
  site.lifecycle.onReady(() => holder.setKinds(content.fieldKinds));
  const pictures = new Pictures(site, content);
  const pageHead = site.extensions.open("pageHead", {
    check: expectKind("function"),
    result: expectKind("string"),
  });
  const pageProps = site.extensions.open("pageProps", {
    check: expectKind("function"),
    result: expectKind("object"),
  });
  const context: RenderContext = {
    site,
    content,
    markdown,
    collections: new CollectionViews(content.addresses, markdown, pictures),
    pictures,
    breadcrumbs: new Breadcrumbs(),
    pageProps,
    head: new Head((req) => pageHead.each((part) => part(req))),
    shared: new SharedProps(site),
    markup: new MarkupCache(site.cache),
    renders: new RenderQueue(site.lifecycle),
    robotsAdded: new WeakMap(),
    errorPages: new ErrorPages(site.cache),
    reading: new Reading(site, content),
    theme: () => holder.active,
  };
  const service = createRenderService(context, holder);
  site.provide("render", service);
  site.extensions.add("templateNames", () => service.templates());
  site.extensions.add("pluginProblems", () => [
    ...context.reading.problems(content),
    ...settingProblems(holder.active.chain, {
      root: site.paths.root,
      custom: site.settings.site.theme.custom,
      mode: site.runtime.env.mode,
    }),
  ]);
  site.extensions.add("mdxComponents", () => holder.mdxComponents());
  site.changes.react("render", () => context.errorPages.clear());
  const dev: DevTools | null =
    site.runtime.env.mode === "dev"
      ? { notices: new ContentNotices(content), mistakes: new Mistakes(site, content) }
      : null;
  site.http.errorPage(async (req, { cause, ...error }) => {
    if (error.status >= 500) dev?.mistakes.failed(mistakeName(req.ctx.path), cause);
    const answer = await service.renderError(req, error);
    return error.status === 404 && dev !== null ? dev.notices.onMissing(req, answer) : answer;
  });
  declareStaticRoutes(context);
  site.http.filter(momentPages(site, () => holder.active));
  mountPages(context, dev);
  mountListings(context);
  // In dev mode the overlay shows why a page fails: it holds no reload back.
  const isReported = (path: string): boolean => dev?.mistakes.has(mistakeName(path)) === true;
  site.lifecycle.onCheck(() => checkPages(site, { content, isReported }));
  site.lifecycle.afterReady(() => warmUp(context));
  if (dev !== null) reloadOnChange(site, holder, context.head, dev.mistakes);
}

const anonymous: Viewer = { roles: null, seesUnpublished: false };

/** Dependencies of the check. */
interface PageCheck {
  content: ContentService;
  /** True for a path whose failure its own page reports. */
  isReported(path: string): boolean;
}

/**
 * Requests the home page and one page per template, as a visitor.
 * @throws ERR_SITE_CHECK for the first page that is not served, unless its failure is reported.
 */
async function checkPages(site: SiteContext, { content, isReported }: PageCheck): Promise<void> {
  const view = content.view(anonymous);
  const byTemplate = new Map<string, string>();
  for (const entry of view.all({})) {
    const isHome = entry.route === "/";
    const key = isHome ? "" : entry.template;
    if (!byTemplate.has(key)) byTemplate.set(key, entry.url);
  }
  for (const address of byTemplate.values()) {
    try {
      await assertServed(site.http, address);
    } catch (error) {
      if (!isReported(decodeURI(address))) throw error;
    }
  }
}

/** Maximum number of preloaded templates. */
const MAX_TEMPLATES = 20;

/** Maximum number of texts that are rendered before the first request. */
const MAX_WARM_PAGES = 3;

/**
 * Preloads what the first page needs: the layout, and the templates of existing pages. In production also a
 * render thread with the grammars of some pages, which take 1.2 s of CPU when nothing is cached.
 */
async function warmUp({ theme, content, markdown, site }: RenderContext): Promise<void> {
  const { templates } = theme();
  const used = content.generation().entries.map(({ template }) => template);
  const names = [...new Set(["default", "error", ...used])].filter((name) => templates.has(name));
  // Template errors are reported by the request that needs the template.
  await templates.layout().catch(() => null);
  for (const name of names.slice(0, MAX_TEMPLATES)) await templates.get(name).catch(() => null);
  if (site.runtime.env.mode !== "production" || site.lifecycle.purpose !== "serve") return;
  const view = content.view(anonymous);
  for (const entry of usualPages(view)) {
    if (site.lifecycle.signal.aborted) return;
    // The request that needs the page reports why it fails.
    await view
      .load(entry)
      .then(markdown.render)
      .catch(() => null);
  }
}

/** Some Markdown pages: of each template the one in the middle, as first pages are often short. */
function usualPages(view: ContentView): PageEntry[] {
  const byTemplate = new Map<string, PageEntry[]>();
  for (const entry of view.all({})) {
    if (entry.format !== "md") continue;
    const pages = byTemplate.get(entry.template) ?? [];
    byTemplate.set(entry.template, pages);
    pages.push(entry);
  }
  const largest = [...byTemplate.values()].toSorted((a, b) => b.length - a.length);
  return largest
    .slice(0, MAX_WARM_PAGES)
    .flatMap((pages) => pages[Math.floor(pages.length / 2)] ?? []);
}
