import type { PageTranslations } from "../../../../check/contract.js";
import type { DiffLine } from "../../../../history/contract.js";
import { ApiError, json, queryText, request, sourceUrl, type Reply } from "../request.js";

export type { DiffLine } from "../../../../history/contract.js";
export type { PageTranslation, PageTranslations } from "../../../../check/contract.js";

/** A page in lists. */
export interface PageRow {
  readonly route: string;
  readonly title: string;
  readonly sourcePath: string;
  readonly template: string;
  readonly format: string;
  readonly status: string;
  readonly published: boolean;
  readonly date: string;
  readonly order: number;
  readonly depth: number;
  readonly parent: string | null;
  readonly lang: string;
  readonly isModule: boolean;
  readonly visible: boolean;
  /** Unix ms. */
  readonly mtimeMs: number;
  readonly hash: string;
  readonly columns?: Readonly<Record<string, unknown>>;
  /** Only in the list of one level. */
  readonly hasChildren?: boolean;
  /** The reason why its file cannot be read; the row then holds what its path says. */
  readonly broken?: Broken;
}
/** The reason why a page cannot be read, with its place; lines and columns count from 1. */
export interface Broken {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly fix?: string;
  /** The file is not text that can be edited. */
  readonly isEditable?: false;
}
/** The source of a page. */
export interface PageSource {
  readonly sourcePath: string;
  readonly route: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The whole file. */
  readonly raw: string;
  readonly hash: string;
  readonly format: string;
  /** The status of the live page: a page that any key hides is a draft. */
  readonly status: string;
  /** The reason why the page cannot be read; only `raw` is known then. */
  readonly broken?: Broken;
}
/** A part of a list. */
export interface List<T> {
  items: readonly T[];
  total: number;
}
/** Filters of the list of pages. */
export interface PageQuery {
  q?: string | undefined;
  status?: string | undefined;
  template?: string | undefined;
  parent?: string | undefined;
  /** `changed`: the latest change first. */
  sort?: "changed" | undefined;
  /** Lists pages that cannot be read too, before the others; they have no route. */
  broken?: "true";
  limit?: number;
  offset?: number;
}

/** Pages in tree order. */
export function listPages(query: PageQuery): Promise<List<PageRow>> {
  return json(`/pages${queryText({ ...query })}`);
}

/** The source of a page with its digest. */
export function readPage(
  sourcePath: string,
  { isBackground = false } = {},
): Promise<Reply<PageSource>> {
  return request(sourceUrl("/pages", sourcePath), { isBackground });
}

/** Writes the whole text of a page, unless its file is another than `ifMatch`. */
export function writePage(
  sourcePath: string,
  content: string,
  ifMatch: string,
): Promise<PageSource> {
  return json(sourceUrl("/pages", sourcePath), { method: "PUT", body: { content }, ifMatch });
}

/** A page to create. */
export interface NewPage {
  /** Route of the page above. */
  readonly parent: string;
  readonly template: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly body?: string;
}

/** Creates a page below another one; the file's name follows from its page type and title. */
export function createPage(page: NewPage): Promise<PageSource> {
  return json("/pages", { method: "POST", body: page });
}

/** Lists the pages and records that link to a page or name it, by their paths. */
export async function listReferences(sourcePath: string): Promise<readonly { from: string }[]> {
  const address = `${sourceUrl("/pages", sourcePath)}/references`;
  return (await json<{ items: readonly { from: string }[] }>(address)).items;
}

/** Moves a page to the trash. */
export function deletePage(sourcePath: string): Promise<unknown> {
  return json(sourceUrl("/pages", sourcePath), { method: "DELETE" });
}

/** Changes a page's status: `draft`, `in_review`, `published`, `archived`. */
export function transition(path: string, to: string): Promise<unknown> {
  return json("/workflow/transition", { method: "POST", body: { path, to } });
}

/** Moves a page's folder or file; links to it are updated. */
export function movePage(
  path: string,
  to: string,
): Promise<{ rewritten: readonly string[]; redirects: Readonly<Record<string, string>> }> {
  return json("/pages/move", { method: "POST", body: { path, to } });
}

/** A file or folder that was moved. */
export interface PathMove {
  readonly path: string;
  readonly to: string;
}

/** Puts a page before or after a sibling. */
export function reorderPage(
  path: string,
  target: string,
  position: "before" | "after",
): Promise<{ sourcePath: string; moves: readonly PathMove[] }> {
  return json("/pages/reorder", { method: "POST", body: { path, target, position } });
}

/** A version of a page. */
export interface Revision {
  readonly n: number;
  readonly kind: "saved" | "found" | "deleted";
  /** Unix ms. */
  readonly createdAt: number;
  readonly message: string;
  readonly actor: { name: string } | null;
  readonly content?: string;
}

/** Versions of a page, newest first. */
export function listRevisions(sourcePath: string): Promise<List<Revision>> {
  return json(sourceUrl("/history", sourcePath));
}

/** A version compared with the current page. */
export function diffRevision(
  sourcePath: string,
  n: number,
): Promise<{ lines: readonly DiffLine[]; additions: number; deletions: number }> {
  return json(`${sourceUrl("/history", sourcePath)}/${n}/diff`);
}

/** Restores a version. */
export function restoreRevision(sourcePath: string, n: number): Promise<unknown> {
  return json(`${sourceUrl("/history", sourcePath)}/${n}/restore`, { method: "POST", body: {} });
}

/** The source path of the page at an address of the public site; null without a page. */
export async function sourceOfAddress(route: string): Promise<string | null> {
  try {
    return (await json<PageSource>(`/page-source${queryText({ route })}`)).sourcePath;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The languages of a page. @throws ApiError 404 without the plugin `check`. */
export function pageTranslations(path: string): Promise<PageTranslations> {
  return json(sourceUrl("/translations", path), { isBackground: true });
}

/** Creates the file of a translation. */
export function createTranslation(path: string, content: string): Promise<unknown> {
  return json("/pages", { method: "POST", body: { path, content } });
}
