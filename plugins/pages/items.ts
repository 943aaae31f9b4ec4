import type { SiteContext } from "#kernel";
import { isPrivateKey, publicKeys } from "#lib/front-matter";
import type { MediaItem, NavItem, Page, PageEntry, ContentView } from "../content/contract.js";
import type { ChildItem, CollectionListItem, PageListItem, StandInMarks } from "./contract.js";
import { withoutKeys } from "#lib/yaml";
import type {} from "../markdown/contract.js";

/** A page in a list of public pages. */
export function toListItem(entry: PageEntry): PageListItem {
  return { ...toCollectionItem(entry), published: true, taxonomy: entry.taxonomy };
}

/** A page in a list of pages that are not public: unpublished, by status or by schedule. */
export function toUnpublishedItem(entry: PageEntry): PageListItem {
  return { ...toListItem(entry), published: false };
}

/** The item of a list of children. */
export function toChildItem(entry: PageEntry): ChildItem {
  return { ...toCollectionItem(entry), order: entry.order };
}

/** The item of a collection. */
export function toCollectionItem(entry: PageEntry): CollectionListItem {
  const { title, template, format } = entry;
  return {
    route: entry.url,
    title,
    ...dateFields(entry),
    template,
    format,
    ...standInMarks(entry),
  };
}

/** `datetime`: the moment of a date with a time of day, ISO 8601. */
function dateFields({ date, moment }: PageEntry): { date: string; datetime?: string } {
  const datetime = typeof moment === "number" ? new Date(moment).toISOString() : undefined;
  return { date: date ?? "", ...(datetime !== undefined && { datetime }) };
}

/** The marks of a page that replaces a missing translation. */
function standInMarks({ lang, standsInFor }: PageEntry): StandInMarks {
  return standsInFor === undefined ? {} : { lang, fallback: true };
}

/** A navigation item, with its children in a nested navigation. */
export function toNavItem({ url, children, ...item }: NavItem): unknown {
  return { ...item, route: url, ...(children && { children: children.map(toNavItem) }) };
}

/** A media item, with or without its sidecar. */
export function toMediaItem({ name, url, type, size, meta }: MediaItem, withMeta: boolean) {
  return withMeta ? { name, url, type, size, meta } : { name, url, type, size };
}

/** A single page with its source and HTML. */
export async function toPage(page: Page, html: string) {
  const rawContent = publicSource(page);
  return { ...toCollectionItem(page.entry), rawContent, ...contentFields(page, html) };
}

/** A module with its HTML. */
export function toModule(page: Page, html: string) {
  return { ...toCollectionItem(page.entry), ...contentFields(page, html) };
}

function contentFields({ entry, media }: Page, html: string) {
  return {
    html,
    frontmatter: publicKeys(entry.frontmatter),
    media: media.map((item) => toMediaItem(item, false)),
  };
}

/** A page with its HTML; the view notes what it was rendered from. */
export async function renderedPage(site: SiteContext, view: ContentView, entry: PageEntry) {
  const page = await view.load(entry);
  const rendered = await site.use("markdown").render(page);
  for (const tag of rendered.reads ?? []) view.reads.add(tag);
  if (rendered.until !== undefined) view.expireAt(rendered.until);
  return { page, rendered };
}

/** The modules of a page with HTML, front matter and files. */
export async function toModules(
  site: SiteContext,
  view: ContentView,
  modules: readonly PageEntry[],
) {
  const rendered = await Promise.all(modules.map((entry) => renderedPage(site, view, entry)));
  return rendered.map(({ page, rendered: { html } }) => toModule(page, html));
}

/** Adds the HTML of a module to the keys of its item. */
export async function htmlOfModule(
  site: SiteContext,
  view: ContentView,
  entry: PageEntry,
): Promise<{ html?: string }> {
  if (!entry.isModule) return {};
  const { rendered } = await renderedPage(site, view, entry);
  return { html: rendered.html };
}

const FENCED = /^(\ufeff?---[ \t]*\r?\n)([^]*?)(---[ \t]*\r?\n?)$/;
const MAY_BE_PRIVATE = /(?:^|[\s"'{,?])_/;

/**
 * The source of a page without the private keys of its front matter. A source that cannot be split
 * (a TSX page) is not shown.
 */
export function publicSource({ entry, raw, body }: Page): string {
  const head = raw.endsWith(body) ? raw.slice(0, raw.length - body.length) : raw;
  const hasPrivate = Object.keys(entry.frontmatter).some(isPrivateKey);
  if (!hasPrivate && !MAY_BE_PRIVATE.test(head)) return raw;
  const [, open, yaml, close] = FENCED.exec(head) ?? [];
  if (open === undefined || yaml === undefined || close === undefined) return hasPrivate ? "" : raw;
  return open + withoutKeys(yaml, isPrivateKey) + close + body;
}
