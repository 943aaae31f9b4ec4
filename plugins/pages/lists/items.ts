import type { MediaItem, NavItem, Page, PageEntry } from "../../content/contract.js";
import { isPrivateKey, publicSource } from "../page/public-source.js";
import type { ChildItem, CollectionListItem, PageListItem, StandInMarks } from "../contract.js";

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
  return { route: entry.url, title, ...dateOf(entry), template, format, ...marksOf(entry) };
}

/** The moment of a date with a time of day, ISO 8601; undefined for other pages. */
export function datetimeOf({ moment }: PageEntry): string | undefined {
  return typeof moment === "number" ? new Date(moment).toISOString() : undefined;
}

function dateOf(entry: PageEntry): { date: string; datetime?: string } {
  const datetime = datetimeOf(entry);
  return { date: entry.date ?? "", ...(datetime !== undefined && { datetime }) };
}

/** The marks of a page that replaces a missing translation. */
function marksOf({ lang, standsInFor }: PageEntry): StandInMarks {
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

/** Front matter without private keys, which start with `_`. */
export function publicKeys(frontmatter: PageEntry["frontmatter"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(frontmatter).filter(([key]) => !isPrivateKey(key)));
}

/** A single page with its source and HTML. */
export async function toPage(page: Page, html: string) {
  const rawContent = await publicSource(page);
  return { ...toCollectionItem(page.entry), rawContent, ...contentOf(page, html) };
}

/** A module with its HTML. */
export function toModule(page: Page, html: string) {
  return { ...toCollectionItem(page.entry), ...contentOf(page, html) };
}

function contentOf({ entry, media }: Page, html: string) {
  return {
    html,
    frontmatter: publicKeys(entry.frontmatter),
    media: media.map((item) => toMediaItem(item, false)),
  };
}
