import type { MediaItem, Page, PageEntry } from "../../content/contract.js";

const LOOSE = "loose ";

/**
 * The page context of Markdown that belongs to no file: `base`, or a page at the top of the tree.
 */
export function loosePage(markdown: string, base: PageEntry, media: readonly MediaItem[]): Page {
  return { entry: { ...base, hash: LOOSE + base.hash }, raw: markdown, body: markdown, media };
}

/** True for the entry of Markdown that belongs to no file: it has no lines to report problems at. */
export function isLoose({ hash }: PageEntry): boolean {
  return hash.startsWith(LOOSE);
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
