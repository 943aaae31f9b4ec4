import type { Page, PageEntry } from "../content/contract.js";

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

/** True for files that are code the site runs: editors may not bring them. */
export function isCode(path: string): boolean {
  return /\.(tsx|mdx|jsx|ts|js|mjs|cjs)$/i.test(path);
}
