import type { ContentService, Page, PageEntry } from "../../content/contract.js";

/** A page as the editor receives it. */
export interface PageSource {
  sourcePath: string;
  route: string;
  frontmatter: Readonly<Record<string, unknown>>;
  body: string;
  raw: string;
  /** Bytes. */
  size: number;
  format: string;
  /** Digest of the file: the `ETag`. */
  hash: string;
}

/** A page's source for the editor. */
export function pageSource({ entry, body, raw }: Page): PageSource {
  const { sourcePath, route, frontmatter, size, format, hash } = entry;
  return { sourcePath, route, frontmatter, body, raw, size, format, hash };
}

/** A row of the admin's page list, with the columns of its page type. */
export function pageRow(
  entry: PageEntry,
  columns: readonly string[] = [],
): Record<string, unknown> {
  const { route, title, sourcePath, format, template, published, status, date } = entry;
  const { order, depth, parent, lang, isModule, visible, mtimeMs, hash } = entry;
  return {
    ...{ route, title, sourcePath, format, template, published, status, date: date ?? "" },
    ...{ order, depth, parent, lang, isModule, visible, mtimeMs, hash },
    ...(columns.length > 0 && { columns: columnsOf(entry, columns) }),
  };
}

/** Values of front matter, else of the page. */
function columnsOf(entry: PageEntry, columns: readonly string[]): Record<string, unknown> {
  const own = new Map(Object.entries(entry));
  const fields = new Map(Object.entries(entry.frontmatter));
  return Object.fromEntries(columns.map((key) => [key, fields.get(key) ?? own.get(key) ?? null]));
}

/** A path below the content folder, with or without the prefix `content/`. */
export function contentPath(path: string): string {
  return path.replace(/^content\//, "");
}

/** How the write routes treat a file of the content folder. */
export type ContentFileKind = "page" | "sidecar" | "media";

/** The kind of a file, by its path. */
export function contentFileKind(
  { isPage }: Pick<ContentService, "isPage">,
  path: string,
): ContentFileKind {
  if (path.endsWith(".meta.yaml")) return "sidecar";
  return isPage(path) ? "page" : "media";
}

/** Error message for a path that is not a page. */
export function notContent(path: string): string {
  const shown = JSON.stringify(path.slice(0, 120));
  return `${shown} is not a content file (.md, .mdx, .tsx or a format of a plugin); upload other files as media`;
}
