import { withoutOrders } from "#kernel/internal";
import type {
  BrokenPage,
  BrokenPlace,
  BrokenSource,
  ContentService,
  Page,
  PageEntry,
} from "../../content/contract.js";

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
  /** Why the page cannot be read: only `raw` is known, and only a whole text is saved. */
  broken?: BrokenState;
}
/** The problem of a broken page. */
export type BrokenState = BrokenPlace & {
  /** The file is not text that can be edited; `raw` is empty. */
  isEditable?: false;
};
/** The file of a page, whether it can be read or not. */
export interface PageFile {
  readonly sourcePath: string;
  readonly hash: string;
  readonly raw: string;
  readonly body: string;
  readonly title: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** Why the page cannot be read; null: it can. */
  readonly problem: BrokenPlace | null;
}

/** The file of a page; null for a path without one. A broken page has no fields, and its text is its body. */
export async function pageFile(
  content: Pick<ContentService, "source" | "brokenSource">,
  sourcePath: string,
): Promise<PageFile | null> {
  const broken = await content.brokenSource(sourcePath);
  if (broken !== null) {
    const { hash, raw, problem } = broken;
    const text = raw ?? "";
    const title = titleOf(broken);
    return { sourcePath, hash, raw: text, body: text, title, frontmatter: {}, problem };
  }
  const page = await content.source(sourcePath);
  if (page === null) return null;
  const { entry, raw, body } = page;
  const { hash, title, frontmatter } = entry;
  return { sourcePath: entry.sourcePath, hash, raw, body, title, frontmatter, problem: null };
}

/** A page's source for the editor. */
export function pageSource({ entry, body, raw }: Page): PageSource {
  const { sourcePath, route, frontmatter, size, format, hash } = entry;
  return { sourcePath, route, frontmatter, body, raw, size, format, hash };
}

/** A broken page for the editor. */
export function brokenPageSource(page: BrokenSource): PageSource {
  const { sourcePath, raw, size, format, hash, problem } = page;
  const broken: BrokenState = raw === null ? { ...problem, isEditable: false } : problem;
  const unknown = { route: "", frontmatter: {}, body: "" };
  return { sourcePath, ...unknown, raw: raw ?? "", size, format, hash, broken };
}

/** A row of the admin's page list for a broken page: what its path says. */
export function brokenRow(page: BrokenPage): Record<string, unknown> {
  const { sourcePath, format, template, lang, isModule, parent, mtimeMs, hash, problem } = page;
  return {
    route: "",
    title: titleOf(page),
    sourcePath,
    format,
    template,
    published: false,
    status: "draft",
    date: "",
    order: 0,
    depth: sourcePath.split("/").length - 1,
    parent,
    lang,
    isModule,
    visible: false,
    mtimeMs,
    hash,
    hasChildren: false,
    broken: problem,
  };
}

/** The name of the folder or file, without its number: `03.third/post.md` is `third`. */
function titleOf({ sourcePath }: Pick<BrokenPage, "sourcePath">): string {
  const [file = "", folder] = sourcePath.split("/").toReversed();
  return folder === undefined ? file : withoutOrders(folder);
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
