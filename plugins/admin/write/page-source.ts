import type {
  BrokenPage,
  BrokenPlace,
  BrokenSource,
  ContentService,
  Page,
  PageEntry,
  WorkflowStatus,
} from "../../content/contract.js";

/** The source of a page. */
export interface PageSource {
  sourcePath: string;
  route: string;
  /** Address of the public page, with its language; null: visitors have none. */
  url: string | null;
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
/** A page as the editor receives it. */
export interface EditedPage extends PageSource {
  /** The status of the live page: one that another key hides is a draft. */
  status: WorkflowStatus;
  /** Name of its page type. */
  template: string;
  /** Unix ms; null: no such time. */
  publishAt: number | null;
  unpublishAt: number | null;
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

type PageReader = Pick<ContentService, "source" | "brokenSource">;

/** The file of a page; null for a path without one. A broken page has no fields, and its text is its body. */
export async function pageFile(content: PageReader, sourcePath: string): Promise<PageFile | null> {
  const page = await readPage(content, sourcePath);
  if (page === null) return null;
  if ("problem" in page) {
    const { hash, title, problem } = page;
    const text = page.raw ?? "";
    return {
      sourcePath: page.sourcePath,
      hash,
      raw: text,
      body: text,
      title,
      frontmatter: {},
      problem,
    };
  }
  const { entry, raw, body } = page;
  const { hash, title, frontmatter } = entry;
  return { sourcePath: entry.sourcePath, hash, raw, body, title, frontmatter, problem: null };
}

/** The source of a page; null for a path without one. */
export async function pageSource(
  content: PageReader,
  sourcePath: string,
): Promise<PageSource | null> {
  const page = await readPage(content, sourcePath);
  return page === null ? null : toSource(page);
}

/** A page for the editor; null for a path without one. */
export async function editedPage(
  content: PageReader,
  sourcePath: string,
): Promise<EditedPage | null> {
  const page = await readPage(content, sourcePath);
  if (page === null) return null;
  if ("problem" in page) {
    const { template } = page;
    return { ...toSource(page), template, status: "draft", publishAt: null, unpublishAt: null };
  }
  const { template, publishAt, unpublishAt } = page.entry;
  const status = readStatus(page.entry);
  return { ...toSource(page), template, status, publishAt, unpublishAt };
}

function toSource(page: Page | BrokenSource): PageSource {
  if ("problem" in page) return brokenPageSource(page);
  const { entry, body, raw } = page;
  const { route, frontmatter, size, format, hash } = entry;
  return {
    sourcePath: entry.sourcePath,
    route,
    url: publicUrl(entry),
    frontmatter,
    body,
    raw,
    size,
    format,
    hash,
  };
}

function brokenPageSource({
  sourcePath,
  raw,
  size,
  format,
  hash,
  problem,
}: BrokenSource): PageSource {
  return {
    sourcePath,
    route: "",
    url: null,
    frontmatter: {},
    body: "",
    raw: raw ?? "",
    size,
    format,
    hash,
    broken: raw === null ? { ...problem, isEditable: false } : problem,
  };
}

/** A page, or what is known of one that cannot be read; null for a path without a page. */
async function readPage(
  content: PageReader,
  sourcePath: string,
): Promise<Page | BrokenSource | null> {
  return (await content.brokenSource(sourcePath)) ?? content.source(sourcePath);
}

/** A row of the admin's page list for a broken page: what its path says. */
export function brokenRow(page: BrokenPage): Record<string, unknown> {
  const { sourcePath, title, format, template, lang, isModule, parent, mtimeMs, hash } = page;
  return {
    route: "",
    url: null,
    carrier: sourcePath,
    isMovable: false,
    title,
    sourcePath,
    format,
    template,
    published: false,
    status: "draft",
    publishAt: null,
    unpublishAt: null,
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
    broken: page.problem,
  };
}

/** The address of a page for visitors; null for a module, and for a page that is kept back. */
function publicUrl({ routable, url }: PageEntry): string | null {
  return routable ? url : null;
}

/** A row of the admin's page list, with the columns of its page type. */
export function pageRow(
  entry: PageEntry,
  columns: readonly string[] = [],
): Record<string, unknown> {
  return {
    route: entry.route,
    url: publicUrl(entry),
    carrier: carrierOf(entry),
    title: entry.title,
    sourcePath: entry.sourcePath,
    format: entry.format,
    template: entry.template,
    published: entry.published,
    status: readStatus(entry),
    publishAt: entry.publishAt,
    unpublishAt: entry.unpublishAt,
    date: entry.date ?? "",
    order: entry.order,
    depth: entry.depth,
    parent: entry.parent,
    lang: entry.lang,
    isModule: entry.isModule,
    visible: entry.visible,
    mtimeMs: entry.mtimeMs,
    hash: entry.hash,
    ...(columns.length > 0 && { columns: readColumns(entry, columns) }),
  };
}

/** Values of front matter, else of the page. */
function readColumns(entry: PageEntry, columns: readonly string[]): Record<string, unknown> {
  const entryFields = new Map(Object.entries(entry));
  const fields = new Map(Object.entries(entry.frontmatter));
  return Object.fromEntries(
    columns.map((key) => [key, fields.get(key) ?? entryFields.get(key) ?? null]),
  );
}

/** A path below the content folder, with or without the prefix `content/`. */
export function contentPath(path: string): string {
  return path.replace(/^content\//, "");
}

/** The kind of a file of the content folder, by which the write routes treat it. */
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

/** Allowed transitions of the editorial status. */
const NEXT: Readonly<Record<WorkflowStatus, readonly WorkflowStatus[]>> = {
  draft: ["in_review", "published"],
  in_review: ["published", "draft"],
  published: ["archived", "draft"],
  archived: ["draft"],
};

/** The status of a page: one that another key hides is a draft, although its status is `published`. */
export function readStatus({
  status,
  published,
}: Pick<PageEntry, "status" | "published">): WorkflowStatus {
  return !published && status === "published" ? "draft" : status;
}

/** The allowed transitions from a status. */
export function allowedTransitions(from: WorkflowStatus): readonly WorkflowStatus[] {
  return NEXT[from];
}

/** The path that moves with a page: its folder, or its file. */
export function carrierOf(
  entry: Pick<PageEntry, "folder" | "depth" | "route" | "sourcePath">,
): string {
  return ownsFolder(entry) ? entry.folder : entry.sourcePath;
}

/** True for the page of a folder; false for a flat page, whose folder belongs to the page above. */
export function ownsFolder({
  folder,
  depth,
  route,
}: Pick<PageEntry, "folder" | "depth" | "route">): boolean {
  return folder !== "" && (route === "/" || depth === folder.split("/").length - 1);
}
