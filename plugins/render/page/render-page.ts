import { escapeHtml, HttpError, isRecord, type Answer } from "#kernel";
import { causeOf } from "#lib/values";
import { readData } from "#lib/schema";
import type { CollectionQuery, ContentView, PageEntry } from "../../content/contract.js";
import type { CollectionView, PageView, TemplateProps, PageRequest } from "../contract.js";
import { authoredBy } from "../reading/articles.js";
import {
  CollectionQuerySchema,
  StrictCollectionSchema,
  emptyCollection,
  type CollectionRequest,
} from "./views/collection-view.js";
import {
  renderDocument,
  completeDocument,
  renderHtml,
  type RenderedDocument,
} from "./render-html.js";
import {
  drawnWith,
  isPersonal,
  openScope,
  readsOf,
  type RenderContext,
  type Scope,
} from "./render-context.js";
import { addPluginProps, baseProps, documentTitle } from "./page-props.js";
import { blockViews, moduleViews } from "./views/module-views.js";
import { toPageScene, type PageMatch, type PageScene } from "./views/page-view.js";

/** The page at a path, and the view that found it. */
export interface Found {
  match: PageMatch;
  view?: ContentView;
  /** Default: that of the request. */
  path?: string;
}

/**
 * The HTML response of a page.
 * @throws HttpError 404 for a page number beyond the end of its list.
 */
export async function renderPage(
  context: RenderContext,
  req: PageRequest,
  found: Found,
): Promise<Answer> {
  const { trace } = context.site.runtime;
  const { template, lang } = found.match.entry;
  return trace.span("render", () => makePage(context, req, found), {
    "site.template": template,
    "site.lang": lang,
  });
}

async function makePage(context: RenderContext, req: PageRequest, found: Found): Promise<Answer> {
  const { match, view, path } = found;
  const { entry } = match;
  const scope = openScope(context, req, { lang: match.lang, view, path });
  const scene = await toPageScene(context, scope, match);
  const lists = await listsOf(context, scope, match, scene);
  lists.blocks = await blockViews(context, scope, scene);
  const props = await pageProps(context, scope, scene, lists);
  await addPluginProps(context, scope, entry, props);
  return answerOf(scope, entry, await renderTemplate(context, scope, scene, props));
}

function answerOf(scope: Scope, entry: PageEntry, document: RenderedDocument): Answer {
  const { html, isShareable } = document;
  return {
    type: "text/html; charset=utf-8",
    body: html,
    cache: {
      until: scope.view.expiresAt,
      private: isPersonal(scope),
      ...(isShareable && mayCache(scope.req, entry) && { tags: readsOf(scope) }),
    },
  };
}

interface Lists extends Partial<Pick<TemplateProps, "blocks" | "modules" | "collection">> {
  collections?: Record<string, CollectionView>;
}

async function listsOf(
  context: RenderContext,
  scope: Scope,
  { entry, pageNumber }: PageMatch,
  { view }: PageScene,
): Promise<Lists> {
  const main =
    readQuery(context, entry, "collection") ?? scope.theme.collectionOf(drawnWith(context, entry));
  const lists: Lists = {
    modules: await moduleViews(context, scope, { entry, view, query: main }),
  };
  const named = entry.frontmatter["collections"];
  if (main === undefined && named === undefined) {
    if (pageNumber > 1) throw new HttpError(404, "not found");
    const collection = await authoredBy(context, scope, entry);
    return collection === null ? lists : { ...lists, collection };
  }
  const resolve = (query: CollectionQuery) => {
    const page = query.pagination ? pageNumber : 1;
    return listOf(context, scope, { query, self: entry, pageNumber: page, url: view.url });
  };
  if (main !== undefined) lists.collection = await resolve(main);
  for (const name of Object.keys(toObject(named))) {
    const query = readQuery(context, entry, name);
    if (query !== undefined) (lists.collections ??= {})[name] = await resolve(query);
  }
  const all = [lists.collection, ...Object.values(lists.collections ?? {})];
  if (pageNumber > Math.max(1, ...all.map((list) => list?.pages ?? 1))) {
    throw new HttpError(404, "not found");
  }
  return lists;
}

async function pageProps(
  context: RenderContext,
  scope: Scope,
  scene: PageScene,
  lists: Lists,
): Promise<TemplateProps> {
  const { entry } = scene;
  const base = await baseProps(context, scope);
  const { settings } = context.site;
  const { supported } = settings.system.languages;
  const translations = scope.view
    .translations(entry)
    .map(({ lang, url }) => ({ lang, url }))
    .toSorted((a, b) => supported.indexOf(a.lang) - supported.indexOf(b.lang));
  const configured = scene.way.filter((step) => step.frontmatter["theme_config"] !== undefined);
  const head = context.head.of(scope.req, {
    canonical: scene.view.canonical,
    translations,
    base: settings.site.url,
    defaultLang: settings.system.languages.default,
    prevUrl: lists.collection?.prevUrl ?? null,
    nextUrl: lists.collection?.nextUrl ?? null,
  });
  return Object.assign(base, {
    page: scene.view,
    ...context.reading.sidebarProps(scope.view, base, entry),
    pageTitle: pageTitle(scene.view, base.site.title),
    translations,
    // All pages without settings of their own share this object.
    ...(configured.length > 0 && mergeThemeConfig(base, configured)),
    head: head + context.markdown.headOf(joinBodies({ html: scene.view.html, ...lists })),
    ...lists,
  });
}

/** The theme's settings, merged with those of the pages on the way. */
function mergeThemeConfig(
  { site, themeConfig: all }: TemplateProps,
  configured: readonly PageEntry[],
): Pick<TemplateProps, "themeConfig" | "config"> {
  const added = configured.map((step) => toObject(step.frontmatter["theme_config"]));
  const themeConfig = Object.assign({}, all, ...added);
  return { themeConfig, config: { site, theme: themeConfig } };
}

async function renderTemplate(
  context: RenderContext,
  scope: Scope,
  { entry, view }: PageScene,
  props: TemplateProps,
): Promise<RenderedDocument> {
  // A page that renders the whole document itself has no layout.
  if (entry.frontmatter["layout"] === false && /^\s*(?:<!doctype|<html)/i.test(view.html)) {
    const { head, lang, dir } = props;
    return { html: completeDocument(view.html, { head, lang, dir }), isShareable: true };
  }
  const { templates } = scope.theme;
  const names = [drawnWith(context, entry), entry.template, "default"];
  const template = names.find((name) => templates.has(name));
  if (template !== undefined) return renderHtml(context, scope, { template, props, page: entry });
  const body = `<h1>${escapeHtml(view.title)}</h1>${view.html}`;
  const html = renderDocument({ title: props.pageTitle, body, lang: scope.lang, head: props.head });
  return { html, isShareable: true };
}

function pageTitle({ title, route }: PageView, site: string): string {
  return route === "/" && title !== "" && title !== site
    ? `${site} | ${title}`
    : documentTitle(title, site);
}

/** The query string is a prop of templates, and responses are cached by path. */
function mayCache(req: PageRequest, entry: PageEntry): boolean {
  const cache = entry.frontmatter["cache"];
  return req.ctx.search === "" && cache !== false && toObject(cache)["enable"] !== false;
}

async function listOf(
  context: RenderContext,
  scope: Scope,
  request: CollectionRequest,
): Promise<CollectionView> {
  try {
    return await context.collections.resolve(scope.view, request);
  } catch (error) {
    // The author's mistake: the page is shown without the list.
    const page = request.self?.sourcePath;
    context.site.log.warn("render.collection_failed", { page, error: String(error) });
    return emptyCollection;
  }
}

function readQuery(
  context: RenderContext,
  entry: PageEntry,
  name: string,
): CollectionQuery | undefined {
  const { collection, collections } = entry.frontmatter;
  const value = name === "collection" ? collection : toObject(collections)[name];
  if (value === undefined || value === null) return undefined;
  const { data } = readData(CollectionQuerySchema, value);
  if (data !== null) return data;
  // The strict schema also names misspelt keys.
  const [mistake] = readData(StrictCollectionSchema, value).mistakes ?? [];
  const { path = [], received = value, expected = "a collection", fix } = mistake ?? {};
  const key = name === "collection" ? name : `collections.${name}`;
  context.site.log.warn("render.collection_invalid", {
    page: entry.sourcePath,
    error: causeOf({ key: [key, ...path].join("."), received, expected }),
    fix,
  });
  return undefined;
}

function toObject(value: unknown): Record<string, unknown> {
  return isRecord(value) ? { ...value } : {};
}

type Rendered = Pick<PageView, "html"> & Partial<Pick<TemplateProps, "modules" | "blocks">>;

/** All rendered Markdown of a page: its body, modules and blocks. */
function joinBodies({ html, modules = [], blocks = {} }: Rendered): string {
  const parts = [...modules, ...Object.values(blocks).flat()];
  return parts.length === 0 ? html : html + parts.map((part) => part.html).join("");
}
