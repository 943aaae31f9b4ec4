import type { PageRequest } from "../contract.js";
import type { SiteContext, ExtensionList, Extensions } from "#kernel";
import type { ContentService, ContentView, PageEntry } from "../../content/contract.js";
import type { MarkdownService } from "../../markdown/contract.js";
import type { ActiveTheme } from "../theme/active-theme.js";
import type { Breadcrumbs } from "./views/breadcrumbs.js";
import type { CollectionViews } from "./views/collection-view.js";
import type { ErrorPages } from "./errors/error-pages.js";
import type { Head } from "./document/head.js";
import { DocumentParts, type MarkupCache } from "./markup-cache.js";
import type { Pictures } from "./views/pictures.js";
import type { RenderQueue } from "./render-queue.js";
import type { Reading } from "../reading/reading.js";
import type { SharedProps } from "./shared-props.js";

/** Dependencies of rendering, created once per site. */
export interface RenderContext {
  readonly site: SiteContext;
  readonly content: ContentService;
  readonly markdown: MarkdownService;
  readonly collections: CollectionViews;
  readonly pictures: Pictures;
  readonly breadcrumbs: Breadcrumbs;
  readonly head: Head;
  /** Props that plugins add. */
  readonly pageProps: ExtensionList<Extensions["pageProps"]>;
  readonly shared: SharedProps;
  readonly markup: MarkupCache;
  readonly renders: RenderQueue;
  readonly errorPages: ErrorPages;
  readonly reading: Reading;
  /**
   * Front matter with directives for robots. Not in site.cache: it lives with the entry, and its identity counts
   * for cached markup.
   */
  readonly robotsAdded: WeakMap<PageEntry, PageEntry["frontmatter"]>;
  /** The active theme. */
  theme(): ActiveTheme;
}

/** The render context of a request: one view, one theme, one language. */
export interface Scope {
  readonly req: PageRequest;
  readonly view: ContentView;
  readonly theme: ActiveTheme;
  readonly lang: string;
  /** Path of the request, or that of the page in a preview. */
  readonly pathname: string;
  /** The parts from which the document is assembled. */
  readonly parts: DocumentParts;
  /** The logged-in user without secrets; null for an anonymous visitor. */
  readonly user: Readonly<Record<string, unknown>> | null;
}

/**
 * The scope of a request in a language; pass the view that found the page, so that its reads count.
 */
export function openScope(
  context: RenderContext,
  req: PageRequest,
  options: { lang: string; view?: ContentView; path?: string },
): Scope {
  const { lang, view = context.content.view(req.ctx.state.viewer) } = options;
  const pathname = options.path ?? req.ctx.path ?? "/";
  req.ctx.lang = lang;
  const theme = context.theme();
  const pictureOf = (src: string) => context.pictures.partsOf(src, view.reads);
  const parts = new DocumentParts(context.markup, context.shared.of(theme, lang), {
    pictureOf,
    timezone: context.site.settings.system.timezone,
  });
  return { req, view, theme, lang, pathname, parts, user: visitorOf(req) };
}

/** True when the response may depend on the visitor. */
export function isPersonal({ view, user }: Scope): boolean {
  return (
    view.personal || user !== null || view.viewer.roles !== null || view.viewer.seesUnpublished
  );
}

/** `reads` of a response in this scope, whose view is for this response only. */
export function readsOf({ view }: Scope, more: Iterable<string> = []): Set<string> {
  view.reads.add("config").add("theme");
  for (const tag of more) view.reads.add(tag);
  return view.reads;
}

function visitorOf(req: PageRequest): Scope["user"] {
  const { state } = req.ctx;
  if (!("siteUser" in state)) return null;
  const user: unknown = state.siteUser;
  if (typeof user !== "object" || user === null) return null;
  return Object.fromEntries(Object.entries(user).filter(([key]) => key !== "passwordHash"));
}
