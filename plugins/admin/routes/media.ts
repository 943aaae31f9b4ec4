import type { Request, Response } from "express";
import type { Multer } from "multer";
import { z } from "zod";
import { HttpError, KeyedLock } from "#kernel";
import { assertAt } from "../accounts/path-rights.js";
import type { ContentService } from "../../content/contract.js";
import type { AdminIdentity } from "../contract.js";
import { contentPath } from "../write/page-source.js";
import { written } from "../write/save-page.js";
import { mediaName } from "../write/upload-file.js";
import { answers } from "./answers.js";
import { mediaFoldersRoute } from "./media-folders.js";
import { folderOf, mediaListRoute } from "./media-list.js";
import { assertMayEditLive, note, notFound, writeOptions, type RouteParts } from "./route-parts.js";

/** Maximum size of an uploaded file in bytes. */
const MAX_FILE_BYTES = 50 * 1_048_576;

const fileQuery = z.object({
  path: z.string().min(1).max(1024).describe("File below the content folder"),
});

const uploadFields = z.object({
  pagePath: z.string().max(1024),
  overwrite: z.enum(["true", "false"]).default("false"),
});

/** Media of pages: list, upload, delete. */
export function mediaRoutes(parts: RouteParts): void {
  const { admin, site } = parts;
  const content = site.use("content");
  const lock = new KeyedLock();
  mediaListRoute(parts);
  mediaFoldersRoute(parts);
  admin.route({
    method: "post",
    path: "/media/upload",
    permission: "media.upload",
    summary: "Upload a file to a page (multipart: file, pagePath, overwrite)",
    paths: "own",
    responses: answers.mediaUpload,
    handler: async (req, res, { identity: sender }) => {
      await received(await receiver(), req, res);
      const { folder, name, write, mayReplace } = await uploadOf(parts, req);
      const identity = assertAt(sender, "media.upload", [write.path]);
      if (mayReplace) assertMayReplace(parts, identity, { folder });
      await lock.run(write.path, () => store(parts, { write, mayReplace, identity }));
      const target = { type: "media", id: write.path };
      note(parts, req, { event: "media.upload", actor: identity, target });
      const item = (await content.media(folder)).find((one) => one.name === name) ?? null;
      await site.http.json(req, res, { ok: true, path: write.path, item }, { status: 201 });
    },
  });
  admin.route({
    method: "delete",
    path: "/media",
    permission: "media.delete",
    summary: "Delete a file of a page, with its sidecar",
    responses: answers.mediaDelete,
    query: fileQuery,
    handler: async (req, res, { query, identity }) => {
      const path = contentPath(query.path);
      const at = path.lastIndexOf("/");
      const file = await content.mediaFile(path.slice(0, Math.max(0, at)), path.slice(at + 1));
      if (file === null) throw notFound();
      const title = path.slice(at + 1);
      const paths = await withSidecar(content, path);
      const references = await site.use("check", { optional: true })?.references(path);
      const deletion = { kind: "media", path, title, paths } as const;
      const entry = await parts.trash.delete(deletion, writeOptions(identity));
      note(parts, req, {
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

/**
 * A file of a published page is replaced only with the right to publish it.
 * @throws HttpError 403 naming the missing permission.
 */
function assertMayReplace(
  parts: RouteParts,
  identity: AdminIdentity,
  { folder }: Pick<Upload, "folder">,
): void {
  const { entries } = parts.site.use("content").generation();
  for (const entry of entries) {
    if (entry.folder === folder) assertMayEditLive(parts, identity, entry);
  }
}

/** A validated upload. */
interface Upload {
  folder: string;
  name: string;
  write: { op: "write"; path: string; content: Buffer };
  /** Whether to overwrite a file with this name. */
  mayReplace: boolean;
}

/** @throws HttpError 400, 404, 415. */
async function uploadOf(parts: RouteParts, { file, body }: Request): Promise<Upload> {
  const fields = uploadFields.safeParse({ ...body });
  if (file === undefined) throw new HttpError(400, "field file is missing");
  if (!fields.success) throw new HttpError(400, "field pagePath is missing");
  const folder = folderOf(parts, fields.data.pagePath);
  const name = mediaName(file.originalname);
  const media = parts.site.use("media", { optional: true });
  if (media === undefined) throw notFound("uploads need the plugin media");
  await media.assertFileType(name, file.buffer);
  const path = folder === "" ? name : `${folder}/${name}`;
  const mayReplace = fields.data.overwrite === "true";
  return { folder, name, write: { op: "write", path, content: file.buffer }, mayReplace };
}

/**
 * Holds the path's lock, so that of two uploads with the same name the second fails.
 * @throws HttpError 409.
 */
async function store(
  { site }: RouteParts,
  {
    write,
    mayReplace,
    identity,
  }: Pick<Upload, "write" | "mayReplace"> & { identity: AdminIdentity },
): Promise<void> {
  const content = site.use("content");
  const [dry] = await content.apply([write], { dryRun: true });
  if (dry?.status === "updated" && !mayReplace) {
    throw new HttpError(409, `file ${JSON.stringify(write.path)} already exists`);
  }
  const [result] = await content.apply([write], writeOptions(identity));
  if (result !== undefined) written(result);
}
