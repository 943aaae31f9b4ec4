import type { MediaItem, Page, PageEntry } from "../content/contract.js";
import type { ChildItem, CollectionListItem, PageListItem } from "./contract.js";

/** The item of a page list. */
export function toListItem(entry: PageEntry): PageListItem {
  const { title, template, format, published, taxonomy } = entry;
  return { route: entry.url, title, date: entry.date ?? "", template, format, published, taxonomy };
}

/** The item of a list of children. */
export function toChildItem(entry: PageEntry): ChildItem {
  return { ...toCollectionItem(entry), order: entry.order };
}

/** The item of a collection. */
export function toCollectionItem(entry: PageEntry): CollectionListItem {
  const { title, template, format } = entry;
  return { route: entry.url, title, date: entry.date ?? "", template, format };
}

/** A media item, with or without its sidecar. */
export function toMediaItem({ name, url, type, size, meta }: MediaItem, withMeta: boolean) {
  return withMeta ? { name, url, type, size, meta } : { name, url, type, size };
}

/** Front matter without the keys that begin with `_`: those are the author's own. */
function publicKeys(frontmatter: PageEntry["frontmatter"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(frontmatter).filter(([key]) => !key.startsWith("_")));
}

const HEAD = /^(---\r?\n)([\s\S]*?\n)(---\s)/;
// A key at the margin that begins with `_`, and the indented lines below it.
const PRIVATE_KEY = /^_[^\n]*\n(?:[ \t]+[^\n]*\n|\s*\n|- [^\n]*\n)*/gm;

/** The source without those keys. */
function publicSource(raw: string): string {
  const [head = "", open = "", yaml = "", close = ""] = HEAD.exec(raw) ?? [];
  return open + yaml.replace(PRIVATE_KEY, "") + close + raw.slice(head.length);
}

/** A single page with its source and HTML. */
export function toPage(page: Page, html: string) {
  const { entry, raw, media } = page;
  return {
    route: entry.url,
    title: entry.title,
    date: entry.date ?? "",
    template: entry.template,
    format: entry.format,
    rawContent: publicSource(raw),
    html,
    frontmatter: publicKeys(entry.frontmatter),
    media: media.map((item) => toMediaItem(item, false)),
  };
}
