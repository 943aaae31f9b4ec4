import type { Request, Response } from "express";
import type { Multer } from "multer";
import { z } from "zod";
import { HttpError, KeyedLock } from "#kernel";
import type { ContentService, MediaItem } from "../../../content/contract.js";
import { contentPath } from "../../write/page-source.js";
import {
  note,
  notFound,
  writeOptions,
  type AdminContext,
  sendDryRun,
  textChanges,
} from "../admin-context.js";
import { mayAt } from "../../accounts/rights.js";
import { writeMoves } from "../pages/move-pages.js";
import { findFolder, mediaListRoute } from "./media-list.js";
import { storeMedia, type ReceivedFile, type StoreDeps } from "./store-media.js";
import { mediaApi } from "../../schemas/media.js";
import { written } from "../../write/save-page.js";

/** Maximum size of an uploaded file in bytes. */
const MAX_FILE_BYTES = 50 * 1_048_576;
/** Maximum size in bytes of a JSON body without a file. */
const LIMIT = 64 * 1024;

const uploadFields = z.object({
  pagePath: z.string().max(1024),
  overwrite: z.enum(["true", "false"]).default("false"),
});

/** Media of pages: list, upload, delete. */
export function mediaRoutes(context: AdminContext): void {
  const { admin, site } = context;
  const content = site.use("content");
  const media = { context, lock: new KeyedLock() };
  mediaListRoute(context);
  mediaFileRoute(media);
  mediaFoldersRoute(context);
  mediaMoveRoute(context);
  admin.route({
    method: "post",
    path: "/media/upload",
    permission: "media.upload",
    summary: "Upload a file to a page (multipart: file, pagePath, overwrite)",
    paths: "own",
    responses: mediaApi["POST /media/upload"].responses,
    handler: async (req, res, { identity }) => {
      await received(await receiver(), req, res);
      const stored = await storeMedia(media, { req, identity }, readFile(req));
      const { path, item, warnings } = stored;
      await site.http.json(req, res, { ok: true, path, item, warnings }, { status: 201 });
    },
  });
  admin.route({
    method: "delete",
    path: "/media",
    permission: "media.delete",
    summary: "Delete a file of a page, with its sidecar",
    responses: mediaApi["DELETE /media"].responses,
    query: mediaApi["DELETE /media"].query,
    handler: async (req, res, { query, identity }) => {
      const path = contentPath(query.path);
      const at = path.lastIndexOf("/");
      const file = await content.mediaFile(path.slice(0, Math.max(0, at)), path.slice(at + 1));
      if (file === null) throw notFound();
      const title = path.slice(at + 1);
      const paths = await withSidecar(content, path);
      const references = await site.use("check", { optional: true })?.references(path);
      const deletion = { kind: "media", path, title, paths } as const;
      const entry = await context.trash.delete(deletion, writeOptions(identity));
      note(context, req, {
        event: "media.delete",
        actor: identity,
        target: { type: "media", id: path },
      });
      await site.http.json(req, res, {
        deleted: true,
        path,
        trashId: entry?.id ?? null,
        references,
      });
    },
  });
}

/** Moves a file to another page. */
function mediaMoveRoute(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "post",
    path: "/media/move",
    permission: "media.upload",
    summary: "Move a file with its sidecar to another page: links and fields that name it follow",
    // The write path checks the right at the new path.
    paths: ({ body }) => [body.path],
    responses: mediaApi["POST /media/move"].responses,
    body: { as: "json", limit: LIMIT, schema: mediaApi["POST /media/move"].body },
    handler: async (req, res, { body, identity }) => {
      const { path, item } = await findItem(context, body.path);
      const to = `${findFolder(context, body.folder)}/${item.name}`.replace(/^\//, "");
      const paths = to === path ? [] : await withSidecar(site.use("content"), path);
      const moves = paths.map((from) => ({ path: from, to: to + from.slice(path.length) }));
      const { rewritten } =
        moves.length === 0
          ? { rewritten: [] }
          : await writeMoves(context, identity, { moves, redirect: false });
      const target = { type: "media", id: path };
      note(context, req, { event: "media.move", actor: identity, target, detail: { to } });
      await site.http.json(req, res, { path, to, rewritten });
    },
  });
}

/** Most files have no sidecar. */
async function withSidecar(content: ContentService, path: string): Promise<string[]> {
  const sidecar = `${path}.meta.yaml`;
  const [dry] = await content.apply([{ op: "delete", path: sidecar }], { dryRun: true });
  return dry?.status === "deleted" ? [path, sidecar] : [path];
}

/** Loaded with the first upload to keep startup fast. */
async function receiver(): Promise<ReturnType<Multer["single"]>> {
  const { default: multer } = await import("multer");
  return multer({
    storage: multer.memoryStorage(),
    limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 10, fieldSize: 4_096, parts: 12 },
    defParamCharset: "utf8",
  }).single("file");
}

function received(
  receive: ReturnType<Multer["single"]>,
  req: Request,
  res: Response,
): Promise<void> {
  if (!/^multipart\/form-data\b/i.test(req.headers["content-type"] ?? "")) {
    throw new HttpError(415, "expected Content-Type multipart/form-data");
  }
  return new Promise((resolve, reject) => {
    void receive(req, res, (error: unknown) => {
      if (error === undefined || error === null) resolve();
      else reject(uploadError(error));
    });
  });
}

function uploadError(error: unknown): HttpError {
  const isKnown = error instanceof Error && error.name === "MulterError";
  if (isKnown && "code" in error && error.code === "LIMIT_FILE_SIZE") {
    return new HttpError(413, `the file is larger than ${MAX_FILE_BYTES} bytes`);
  }
  return new HttpError(400, isKnown ? error.message : "the multipart body is malformed");
}

/** @throws HttpError 400. */
function readFile({ file, body }: Request): ReceivedFile {
  const fields = uploadFields.safeParse({ ...body });
  if (file === undefined) throw new HttpError(400, "field file is missing");
  if (!fields.success) throw new HttpError(400, "field pagePath is missing");
  const { pagePath, overwrite } = fields.data;
  const { originalname: name, buffer: bytes } = file;
  return { pagePath, name, bytes, overwrite: overwrite === "true" };
}

/** Maximum size in bytes of a request; base64 enlarges files by a third. */
const BODY_BYTES = 14 * 1_048_576;

/** Uploads without multipart, for programs that speak JSON. */
function mediaFileRoute(media: StoreDeps): void {
  const { admin, site } = media.context;
  admin.route({
    method: "post",
    path: "/media/file",
    permission: "media.upload",
    summary: "Upload a file to a page as JSON with base64, at most 10 MB",
    paths: "own",
    responses: mediaApi["POST /media/file"].responses,
    query: mediaApi["POST /media/file"].query,
    body: { as: "json", limit: BODY_BYTES, schema: mediaApi["POST /media/file"].body },
    tool: { name: "upload_media", description: "Upload an image or file to a page" },
    handler: async (req, res, { query: { dryRun }, body, identity }) => {
      const { data, ...file } = body;
      const bytes = decodeBytes(data);
      const stored = await storeMedia(media, { req, identity, dryRun }, { ...file, bytes });
      const { path, item, replaces, warnings } = stored;
      if (!dryRun)
        return site.http.json(req, res, { ok: true, path, item, warnings }, { status: 201 });
      const before = replaces ? "a file with this name" : null;
      const after = `a file of ${bytes.length} bytes`;
      return sendDryRun(media.context, { req, res }, [{ path, before, after }]);
    },
  });
}

/** @throws HttpError 400. */
function decodeBytes(data: string): Buffer {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data)) {
    throw new HttpError(400, "data: expected base64 without line breaks");
  }
  return Buffer.from(data, "base64");
}

/** The folders of pages into which the identity may upload files. */
function mediaFoldersRoute({ admin, site }: AdminContext): void {
  admin.route({
    method: "get",
    path: "/media/folders",
    permission: "media.upload",
    paths: "own",
    summary: "Folders that files may be uploaded to, with the title of their page",
    responses: mediaApi["GET /media/folders"].responses,
    query: mediaApi["GET /media/folders"].query,
    handler: async (req, res, { query, identity }) => {
      const words = query.q.toLowerCase();
      const titles = new Map<string, string>();
      const content = site.use("content");
      const view = content.view();
      for (const entry of content.generation().entries) {
        const { folder, title, sourcePath } = entry;
        if (titles.has(folder) || !mayAt(identity, "media.upload", `${folder}/file`)) continue;
        // A page that the public does not see needs the right to read it.
        if (!mayAt(identity, "pages.read", sourcePath) && !view.canSee(entry)) continue;
        if (`${folder}\n${title}`.toLowerCase().includes(words)) titles.set(folder, title);
      }
      const folders = [...titles].map(([path, title]) => ({ path, title }));
      const items = folders.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, query.limit);
      await site.http.json(req, res, { items, total: folders.length });
    },
  });
}

/** The sidecar `{file}.meta.yaml` of a page's file. */
export function mediaMetaRoutes(context: AdminContext): void {
  const { admin, site } = context;
  const content = site.use("content");
  admin.route({
    method: "get",
    path: "/media/meta",
    permission: "pages.read",
    summary: "The keys of a file's sidecar",
    responses: mediaApi["GET /media/meta"].responses,
    query: mediaApi["GET /media/meta"].query,
    handler: async (req, res, { query }) => {
      const { path, item } = await findItem(context, query.path);
      await site.http.json(req, res, { path, meta: item.meta });
    },
  });
  admin.route({
    method: "put",
    path: "/media/meta",
    permission: "media.upload",
    summary:
      "Set keys of a file's sidecar (alt, title, credit, focal_point); comments are preserved",
    responses: mediaApi["PUT /media/meta"].responses,
    query: mediaApi["PUT /media/meta"].query,
    body: { as: "json", limit: LIMIT, schema: mediaApi["PUT /media/meta"].body },
    tool: {
      name: "describe_media",
      description: "Set the alternative text, title, credit or focal point of an image or file",
    },
    handler: async (req, res, { query: { dryRun }, body, identity }) => {
      const { path } = await findItem(context, body.path);
      const sidecar = `${path}.meta.yaml`;
      const options = { ...writeOptions(identity), message: `describe ${path}` };
      const patch = { op: "frontmatter", path: sidecar, patch: body.meta } as const;
      const [result] = await content.apply([patch], { ...options, dryRun, texts: dryRun });
      if (result === undefined) throw notFound();
      written(result);
      if (dryRun) return sendDryRun(context, { req, res }, textChanges([result]));
      const { item } = await findItem(context, path);
      // The sidecar would be empty: delete it.
      const isEmpty = Object.keys(item.meta).length === 0;
      if (isEmpty) {
        await content.apply([{ op: "delete", path: sidecar, asServer: true }], options);
      }
      const target = { type: "media", id: path };
      const detail = { keys: Object.keys(body.meta).join(" ") };
      note(context, req, { event: "media.update", actor: identity, target, detail });
      await site.http.json(req, res, { path, meta: item.meta });
    },
  });
}

/** @throws HttpError 404 when there is no such media file. */
async function findItem(
  { site }: AdminContext,
  mediaPath: string,
): Promise<{ path: string; item: MediaItem }> {
  const path = contentPath(mediaPath);
  const at = path.lastIndexOf("/");
  const [folder, name] = [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
  const content = site.use("content");
  const file = await content.mediaFile(folder, name);
  const item =
    file === null ? undefined : (await content.media(folder)).find((one) => one.name === name);
  if (item === undefined) throw notFound();
  return { path, item };
}
