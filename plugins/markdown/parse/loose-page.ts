import type { MediaItem, Page, PageEntry } from "../../content/contract.js";

/**
 * The page context of Markdown that belongs to no file: `base`, or a page at the top of the tree.
 */
export function loosePage(markdown: string, base: PageEntry, media: readonly MediaItem[]): Page {
  return { entry: base, raw: markdown, body: markdown, media };
}

/** An entry without a file: home, in the default language. */
export function topEntry(lang: string): PageEntry {
  return {
    sourcePath: "",
    folder: "",
    route: "/",
    url: "/",
    lang,
    format: "md",
    template: "default",
    title: "",
    navTitle: "",
    date: null,
    status: "published",
    published: true,
    publishAt: null,
    unpublishAt: null,
    visible: false,
    routable: false,
    isModule: false,
    order: 0,
    depth: 0,
    parent: null,
    taxonomy: {},
    roles: null,
    aliases: [],
    frontmatter: {},
    hash: "",
    mtimeMs: 0,
    size: 0,
    bodyOffset: 0,
  };
}
