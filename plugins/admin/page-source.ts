import type { ContentService, Page, PageEntry } from "../content/contract.js";

/** A page as editors get it (specification: GET /admin/api/page-source). */
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

/** The editor's view of a page. */
export function pageSource({ entry, body, raw }: Page): PageSource {
  const { sourcePath, route, frontmatter, size, format, hash } = entry;
  return { sourcePath, route, frontmatter, body, raw, size, format, hash };
}

/** A row of the admin's list of pages. */
export function pageRow(entry: PageEntry): Record<string, unknown> {
  const { route, title, sourcePath, format, template, published, status, date } = entry;
  const { order, depth, parent, lang, isModule, visible, mtimeMs, hash } = entry;
  return {
    ...{ route, title, sourcePath, format, template, published, status, date: date ?? "" },
    ...{ order, depth, parent, lang, isModule, visible, mtimeMs, hash },
  };
}

/** A path below the content folder, with or without `content/` before it. */
export function contentPath(path: string): string {
  return path.replace(/^content\//, "");
}

/** What a file of the content folder is to the routes that write it. */
export type ContentFileKind = "page" | "sidecar" | "media";

/** The kind of a file, by its path. */
export function contentFileKind(
  { isPage }: Pick<ContentService, "isPage">,
  path: string,
): ContentFileKind {
  if (path.endsWith(".meta.yaml")) return "sidecar";
  return isPage(path) ? "page" : "media";
}

/** Why a path that is no page is not written as one. */
export function notContent(path: string): string {
  const shown = JSON.stringify(path.slice(0, 120));
  return `${shown} is not a content file (.md, .mdx, .tsx or a format of a plugin); upload other files as media`;
}

/** True for files that are code the site runs: editors may not bring them. */
export function isCode(path: string): boolean {
  return /\.(tsx|mdx|jsx|ts|js|mjs|cjs)$/i.test(path);
}
