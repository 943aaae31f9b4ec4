import {
  type SiteContext,
  type ExtensionList,
  type Extensions,
  HttpError,
  type SiteLifecycle,
} from "#kernel";
import { WorkQueue } from "#lib/concurrency";
import type { PageRequest } from "../contract.js";
import type { ContentService, ContentView, PageEntry } from "../../content/contract.js";
import type { MarkdownService } from "../../markdown/contract.js";
import type { ActiveTheme } from "../theme/active-theme.js";
import type { Reading } from "../reading/reading.js";
import type { Breadcrumbs } from "./views/page-links.js";
import type { CollectionViews } from "./views/collection-view.js";
import type { ErrorPages } from "./error-page-cache.js";
import type { Head } from "./head.js";
import { DocumentParts, type MarkupCache } from "./markup-cache.js";
import type { Pictures } from "./views/pictures.js";
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

/** The language, view and path with which a request is shown. */
interface ScopeOptions {
  lang: string;
  /** The view that found the page, so that its reads count; default: a new one of the visitor. */
  view?: ContentView | undefined;
  /** Path of the page; default: that of the request. */
  path?: string | undefined;
}

/** The scope of a request in a language. */
export function openScope(context: RenderContext, req: PageRequest, options: ScopeOptions): Scope {
  const { lang, view = context.content.view(req.ctx.state.viewer) } = options;
  const { path: pathname = req.ctx.path } = options;
  req.ctx.lang = lang;
  const theme = context.theme();
  const pictureOf = (src: string) => context.pictures.findMarkup(src, view.reads);
  const parts = new DocumentParts(context.markup, context.shared.of(theme, lang), {
    pictureOf,
    timezone: context.site.settings.system.timezone,
  });
  return { req, view, theme, lang, pathname, parts, user: readVisitor(req) };
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

function readVisitor(req: PageRequest): Scope["user"] {
  const { state } = req.ctx;
  if (!("siteUser" in state)) return null;
  const user: unknown = state.siteUser;
  if (typeof user !== "object" || user === null) return null;
  return Object.fromEntries(Object.entries(user).filter(([key]) => key !== "passwordHash"));
}

/** Maximum number of concurrent renders. They share one thread: more would only use memory. */
const MAX_RENDERING = 4;
/** Maximum number of waiting renders, and their timeout in ms. */
const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 5_000;

/** Limits the renders of a site: a few run, some wait, further ones get 503 with `Retry-After`. */
export class RenderQueue {
  readonly #queue: WorkQueue;
  readonly #rendering = new WeakSet<PageRequest>();

  constructor({ purpose }: Pick<SiteLifecycle, "purpose">) {
    // An export limits its own concurrency, and no visitor waits for it.
    const concurrency = purpose === "export" ? Infinity : MAX_RENDERING;
    this.#queue = new WorkQueue({
      concurrency,
      length: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      busy: () =>
        new HttpError(503, "too many pages are being rendered, try again", {
          headers: { "Retry-After": "2" },
        }),
    });
  }

  /**
   * Runs `work` when a slot is free. Nested renders of the same request run at once.
   * @throws HttpError 503 when the queue is full; 499 when the client leaves before its turn.
   */
  async run<T>(req: PageRequest, work: () => Promise<T>): Promise<T> {
    if (this.#rendering.has(req)) return work();
    return this.#queue.run(async () => {
      // Looked at in its turn: a signal for each waiting render takes 7 % of the CPU time of a page.
      if (req.res?.destroyed) throw new HttpError(499, "the client has left");
      this.#rendering.add(req);
      try {
        return await work();
      } finally {
        this.#rendering.delete(req);
      }
    });
  }
}

/**
 * The template that draws a page: the one that its blueprint names, else its own. Pages without a
 * template of their own follow the preset of the site.
 */
export function drawnWith(
  { site, theme }: Pick<RenderContext, "site" | "theme">,
  entry: PageEntry,
): string {
  const { template } = entry;
  const named = site.use("content").blueprints.of(template)?.template ?? template;
  const isOwn = named !== "default" && theme().templates.has(named);
  if (isOwn) return named;
  const { preset } = site.settings.site.theme;
  if (preset === "docs" && entry.route !== "/") return "docs";
  if (preset === "blog" && entry.date !== null) return "post";
  const isProject = preset === "portfolio" && entry.parent !== null && hasPicture(entry);
  return isProject ? "project" : named;
}

function hasPicture({ frontmatter: { image } }: PageEntry): boolean {
  return typeof image === "string" && image !== "";
}
