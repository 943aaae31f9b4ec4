import type { PageRequest } from "./contract.js";
import type { SiteContext } from "#kernel";
import type { ContentService, ContentView } from "../content/contract.js";
import type { MarkdownService } from "../markdown/contract.js";
import type { ActiveTheme } from "./active-theme.js";
import type { Breadcrumbs } from "./breadcrumbs.js";
import type { CollectionViews } from "./collection-view.js";
import type { ErrorPages } from "./error-pages.js";
import type { Head } from "./head.js";
import { DocumentParts, type MarkupCache } from "./markup-cache.js";
import type { Pictures } from "./pictures.js";
import type { RenderQueue } from "./render-queue.js";
import type { SharedProps } from "./shared-props.js";

/** What rendering is made with; made once per site. */
export interface House {
  readonly site: SiteContext;
  readonly content: ContentService;
  readonly markdown: MarkdownService;
  readonly collections: CollectionViews;
  readonly pictures: Pictures;
  readonly breadcrumbs: Breadcrumbs;
  readonly head: Head;
  readonly shared: SharedProps;
  readonly markup: MarkupCache;
  readonly renders: RenderQueue;
  readonly errorPages: ErrorPages;
  /** The theme of this moment. */
  theme(): ActiveTheme;
}

/** What one request renders with: one view, one theme, one language. */
export interface Scope {
  readonly req: PageRequest;
  readonly view: ContentView;
  readonly theme: ActiveTheme;
  readonly lang: string;
  /** What the document is put together from in the end. */
  readonly parts: DocumentParts;
  /** The logged-in visitor without secrets; null for an anonymous one. */
  readonly user: Readonly<Record<string, unknown>> | null;
}

/** The scope of a request in a language; with the view that found the page, whose reads then count. */
export function openScope(
  house: House,
  req: PageRequest,
  options: { lang: string; view?: ContentView },
): Scope {
  const { lang, view = house.content.view(req.ctx.state.viewer) } = options;
  req.ctx.lang = lang;
  const theme = house.theme();
  const parts = new DocumentParts(house.markup, house.shared.of(theme, lang));
  return { req, view, theme, lang, parts, user: visitorOf(req) };
}

/** True when the answer may depend on who asked. */
export function isPersonal({ view, user }: Scope): boolean {
  return (
    view.personal || user !== null || view.viewer.roles !== null || view.viewer.seesUnpublished
  );
}

/** `reads` of an answer made in this scope; the view is of this answer alone. */
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
