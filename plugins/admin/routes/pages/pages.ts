import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError, type RouteTool } from "#kernel";
import { lacksOf } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import {
  contentPath,
  notContent,
  editedPage,
  pageSource,
  type PageSource,
} from "../../write/page-source.js";
import {
  ifMatch,
  note,
  writeOptions,
  type Exchange,
  type AdminContext,
  notFound,
  sendDryRun,
  sendMoved,
  textChanges,
} from "../admin-context.js";
import { PageWriter, type PageEdit } from "../../write/save-page.js";
import { pageListRoute } from "./page-list.js";
import { findReferences } from "./move-pages.js";
import { deletePage, type PageDeletion } from "./trash.js";
import { type newPage, pagesApi } from "../../schemas/pages.js";

const newPath = z.string().describe("New file below the content folder: blog/hello/default.md");
const content = z
  .string()
  .describe("The whole file: front matter between lines of ---, then Markdown");

/** The routes of pages as tools of agents. */
const pageTools = {
  source: {
    name: "read_source",
    description:
      "The source of a page, drafts included: front matter, Markdown body, and its path. Read it before you change a page",
  },
  create: {
    name: "create_page",
    description: "Create a page. Without the right to publish it starts as a draft",
    body: z.object({ path: newPath, content }),
  },
  write: {
    name: "write_page",
    description:
      "Change a page: the whole file (content), or only keys of the front matter (frontmatter) and the text (body)",
  },
} as const satisfies Record<string, RouteTool>;

/** Maximum size in bytes of a save request; JSON escapes enlarge texts. */
const SAVE_BYTES = 12 * 1_048_576;

/** Pages: list, create, read, save, delete. */
export function pageRoutes(context: AdminContext): void {
  const { admin, site } = context;
  const writer = new PageWriter(site.use("content"));
  pageListRoute(context);
  admin.route({
    method: "post",
    path: "/pages",
    permission: "pages.create",
    summary:
      "Create a page: path below the content folder, content; or parent, template, frontmatter, body",
    paths: "own",
    responses: pagesApi["POST /pages"].responses,
    query: pagesApi["POST /pages"].query,
    body: { as: "json", limit: SAVE_BYTES, schema: pagesApi["POST /pages"].body },
    tool: pageTools.create,
    handler: (req, res, { query, body, identity }) =>
      create({ context, writer, req, res, ...query }, identity, body),
  });
  admin.route({
    method: "get",
    path: "/pages/*path",
    permission: "pages.read",
    summary: "Source of a page with its ETag",
    responses: pagesApi["GET /pages/*path"].responses,
    tool: pageTools.source,
    handler: async (req, res, { params, identity }) => {
      const sourcePath = contentPath(params["path"] ?? "");
      if (await sendMoved(context, { req, res, identity, sourcePath })) return;
      await sendPage(context, { req, res }, sourcePath, 200);
    },
  });
  admin.route({
    method: "put",
    path: "/pages/*path",
    permission: "pages.update",
    summary:
      "Save a page; with If-Match a newer version is not overwritten (409 with both versions)",
    responses: pagesApi["PUT /pages/*path"].responses,
    query: pagesApi["PUT /pages/*path"].query,
    body: { as: "json", limit: SAVE_BYTES, schema: pagesApi["PUT /pages/*path"].body },
    tool: pageTools.write,
    handler: (req, res, { query, body, params, identity }) =>
      update(
        { context, writer, req, res, ...query },
        identity,
        contentPath(params["path"] ?? ""),
        body,
      ),
  });
  admin.route({
    method: "delete",
    path: "/pages/*path",
    permission: "pages.delete",
    summary: "Delete a page's file, with folder=true its folder with media and pages; see trash",
    responses: pagesApi["DELETE /pages/*path"].responses,
    query: pagesApi["DELETE /pages/*path"].query,
    handler: (req, res, { params, query, identity }) =>
      remove({ context, req, res }, identity, { path: params["path"] ?? "", ...query }),
  });
}

interface Call {
  context: AdminContext;
  writer: PageWriter;
  req: Request;
  res: Response;
  /** True: nothing is written. */
  dryRun: boolean;
}

async function create(
  { context, writer, req, res, dryRun }: Call,
  identity: AdminIdentity,
  body: z.infer<(typeof pagesApi)["POST /pages"]["body"]>,
): Promise<void> {
  const { path: named, ...text } = "parent" in body ? createdPage(context, body) : body;
  const sourcePath = contentPath(named);
  const isPage = context.site.use("content").isPage(sourcePath);
  if (!isPage) throw new HttpError(400, notContent(sourcePath));
  const result = await writer.create(sourcePath, text, { ...saveOptions(req, identity), dryRun });
  if (dryRun) return sendDryRun(context, { req, res }, textChanges([result]));
  note(context, req, {
    event: "page.create",
    actor: identity,
    target: { type: "page", id: sourcePath },
  });
  await sendPage(context, { req, res }, sourcePath, 201);
}

/** The file of a new page, named by its blueprint. */
function createdPage(
  { site }: AdminContext,
  { body, ...page }: z.infer<typeof newPage>,
): { path: string; content: string; patch: Record<string, unknown> } {
  const path = site.use("content").blueprints.newPath(page);
  return { path, content: body, patch: page.frontmatter };
}

async function update(
  { context, writer, req, res, dryRun }: Call,
  identity: AdminIdentity,
  sourcePath: string,
  edit: PageEdit,
): Promise<void> {
  if (await sendMoved(context, { req, res, identity, sourcePath })) return;
  const entry = context.site.use("content").generation().bySource.get(sourcePath);
  const options = { ...saveOptions(req, identity), dryRun };
  const result = await writer.update(sourcePath, edit, options);
  if (result.code === "ERR_CONTENT_CONFLICT") {
    const current = await editedPage(context.site.use("content"), sourcePath);
    const error = result.errors[0] ?? "the page has changed since it was read";
    return context.site.http.json(req, res, { error, current, yours: edit }, { status: 409 });
  }
  if (dryRun) {
    return sendDryRun(context, { req, res }, textChanges([result]), entry?.hash);
  }
  note(context, req, {
    event: "page.update",
    actor: identity,
    target: { type: "page", id: sourcePath },
  });
  await sendPage(context, { req, res }, sourcePath, 200);
}

async function remove(
  { context, req, res }: Omit<Call, "writer" | "dryRun">,
  identity: AdminIdentity,
  deletion: PageDeletion,
): Promise<void> {
  const references = await findReferences(context, contentPath(deletion.path), deletion.hasFolder);
  const { sourcePath, trashId } = await deletePage(context, { req, identity }, deletion);
  const body = { deleted: true, sourcePath, trashId, ...(references !== null && { references }) };
  await context.site.http.json(req, res, body);
}

function saveOptions(req: Request, identity: AdminIdentity) {
  return { ...writeOptions(identity), ifHash: ifMatch(req) };
}

interface SourceAnswer {
  /** Null for a written file that is not in the index. */
  readonly source: PageSource | null;
  readonly sourcePath: string;
  readonly status: number;
}

/**
 * Responds with a page's source.
 * @throws HttpError 404.
 */
export async function sendSource(
  context: AdminContext,
  exchange: Exchange,
  path: string,
): Promise<void> {
  const sourcePath = contentPath(path);
  const source = await pageSource(context.site.use("content"), sourcePath);
  if (source === null) throw notFound();
  await answerSource(context, exchange, { source, sourcePath, status: 200 });
}

/**
 * Responds with the current page.
 * @throws HttpError 404 unless it was just created (`status` 201).
 */
export async function sendPage(
  context: AdminContext,
  exchange: Exchange,
  sourcePath: string,
  status: 200 | 201,
): Promise<void> {
  const source = await editedPage(context.site.use("content"), sourcePath);
  // A file that is not in the index (part of a module, another language) was still written.
  if (source === null && status === 200) throw notFound();
  await answerSource(context, exchange, { source, sourcePath, status });
}

async function answerSource(
  { site, admin }: AdminContext,
  { req, res }: Exchange,
  { source, sourcePath, status }: SourceAnswer,
): Promise<void> {
  const headers: Record<string, string> = source === null ? {} : { ETag: `"${source.hash}"` };
  // Such as another page that has its address.
  const problems = site
    .use("content")
    .generation()
    .problems.filter((problem) => problem.sourcePath === sourcePath)
    .map(({ message }) => message);
  const identity = admin.identity(req);
  const answer = {
    ...(source ?? { sourcePath }),
    ...(problems.length > 0 && { problems }),
    ...(identity !== null && lacksOf(identity, sourcePath)),
  };
  await site.http.json(req, res, answer, { status, headers });
}
