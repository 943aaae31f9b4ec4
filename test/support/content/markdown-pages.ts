import type {
  ContentService,
  Generation,
  MediaItem,
  Page,
  PageEntry,
} from "../../../plugins/content/contract.js";
import { topEntry } from "../../../plugins/markdown/parse/loose-page.js";
import { indexOf, viewOf } from "./content-tree.js";

/** An entry of a page, with the defaults of a plain page. */
export function pageEntry(sourcePath: string, fields: Partial<PageEntry> = {}): PageEntry {
  const folder = sourcePath.split("/").slice(0, -1).join("/");
  const route = `/${folder.replace(/\d+\./g, "")}`;
  const format = sourcePath.split(".").at(-1) ?? "md";
  return {
    ...topEntry("en"),
    sourcePath,
    folder,
    route,
    url: route,
    format,
    title: "Title",
    hash: "1",
    ...fields,
  };
}

/** A page with this body. */
export function pageOf(entry: PageEntry, body: string, media: readonly MediaItem[] = []): Page {
  return { entry, raw: `---\ntitle: x\n---\n${body}`, body, media };
}

/** A media file of a page's folder. */
export function mediaItem(
  folder: string,
  name: string,
  meta: Record<string, unknown> = {},
): MediaItem {
  const url = `/content-media/${folder}/${encodeURIComponent(name)}`;
  return { name, url, type: "image/png", size: 1, meta, mtimeMs: 0 };
}

/** The part of the content tree that Markdown uses. */
export function contentTree(
  entries: readonly PageEntry[],
  media: Readonly<Record<string, readonly MediaItem[]>> = {},
): Pick<
  ContentService,
  "generation" | "media" | "addFormat" | "addresses" | "addressIn" | "source" | "view" | "viewAll"
> & {
  readonly formats: string[];
} {
  const formats: string[] = [];
  const generation: Generation = {
    id: 1,
    entries,
    bySource: new Map(entries.map((entry) => [entry.sourcePath, entry])),
    problems: [],
    at: (route, lang) => entries.find((entry) => entry.route === route && entry.lang === lang),
  };
  return {
    formats,
    generation: () => generation,
    media: async (folder) => media[folder] ?? [],
    source: async () => null,
    view: () => viewOf(indexOf({})),
    viewAll: () => viewOf(indexOf({})),
    addresses: {
      prefixOf: (lang) => (lang === "en" ? "" : `/${lang}`),
      rootOf: (lang) => (lang === "en" ? "" : `/${lang}`),
      urlOf: (route, lang) => (lang === "en" ? route : `/${lang}${route}`.replace(/\/$/, "")),
      parse: (address) => ({ route: address, lang: null }),
      belowContent: (path) => (path.startsWith("content/") ? path.slice("content/".length) : null),
      fromRoot: (path) => `content/${path}`,
      imageOf: () => null,
      redirectKey: (from) => from,
      redirectProblem: () => null,
    },
    addressIn: (entry, lang) => generation.at(entry.route, lang)?.url ?? entry.url,
    addFormat: (extension) => void formats.push(extension),
  };
}
