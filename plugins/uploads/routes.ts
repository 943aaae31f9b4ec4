import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError, type SiteContext } from "#kernel";
import { mediaTypeOf, registeredTypeOf } from "#lib/files";
import type { UploadFiles, UploadsSection } from "./contract.js";
import type { IncomingFile } from "./engines/multer.js";
import { UploadStore, type StoredUpload, type UploadType } from "./upload-store.js";

const PATH = "/api/upload";
/** Overhead of the form: boundaries, headers, small fields. */
const FORM_BYTES = 65_536;
const WINDOW_MS = 60_000;
const CACHE = "public, max-age=31536000, immutable";
/** Uploads must never run as a page of this site. */
const HEADERS = {
  "Cache-Control": CACHE,
  "X-Content-Type-Options": "nosniff",
  "Content-Disposition": "attachment",
  "Content-Security-Policy": "default-src 'none'; sandbox",
} as const;

const upload = z.object({
  url: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
});
const problem = z.object({ error: z.string() });

/** Options of the routes. */
export interface UploadRoutesOptions {
  readonly section: UploadsSection;
  readonly store: UploadStore;
  readonly files: UploadFiles;
  /** Maximum size of a file. */
  readonly maxBytes: number;
}

/** `POST /api/upload`, and the files at `/uploads/`. */
export function uploadRoutes(site: SiteContext, options: UploadRoutesOptions): void {
  const { http } = site;
  http.jsonPrefix(PATH);
  http.route({
    method: "post",
    path: PATH,
    summary: "Upload a file (multipart, field file)",
    responses: {
      201: upload,
      ...Object.fromEntries([400, 401, 403, 408, 413, 415, 507].map((status) => [status, problem])),
    },
    handler: async (req, res) => {
      // Check rights and limits before reading any byte of the body.
      assertMay(site, options, req);
      await countUpload(site, req);
      const { receiveFile } = await import("./engines/multer.js");
      const { name, size, type } = await receiveFile(req, res, {
        field: "file",
        maxBytes: options.maxBytes + FORM_BYTES,
        keep: (file) => keep(site, options, file),
        discard: (stored) => options.store.remove(stored),
        tooLarge: () => tooLarge(options.maxBytes),
      });
      site.log.info("uploads.kept", { name, size, type });
      const answer = { url: `/uploads/${name}`, name, type, size };
      await http.json(req, res, answer, { status: 201, cache: { private: true } });
    },
  });
  http.route({
    method: "get",
    path: "/uploads/:name",
    summary: "An uploaded file",
    hidden: true,
    handler: (req, res, { params }) => serve(options, req, res, params["name"] ?? ""),
  });
}

/** @throws HttpError 401, 403, 413, 503. */
function assertMay(
  site: SiteContext,
  { section, maxBytes }: UploadRoutesOptions,
  req: Request,
): void {
  const isKnown = Boolean(req.ctx.state.siteUser);
  if (section.require_auth && !isKnown) throw notLoggedIn(site, req);
  // Programs send a token deliberately; browsers send a cookie with any request.
  const isByCookie = isKnown && req.headers.authorization === undefined;
  const security = site.use("security");
  if (isByCookie && security.isFromElsewhere(req.headers)) {
    const message = `the upload comes from another site: ${security.senderOf(req.headers)}`;
    throw new HttpError(403, message, { code: "ERR_UPLOAD_ORIGIN" });
  }
  if (Number(req.headers["content-length"]) > maxBytes + FORM_BYTES) throw tooLarge(maxBytes);
}

function notLoggedIn(site: SiteContext, req: Request): HttpError {
  site.use("session", { optional: true })?.assertAvailable(req);
  return new HttpError(401, "log in to upload", { code: "ERR_UPLOAD_AUTH" });
}

/**
 * Limits uploads per minute like requests of the API.
 * @throws HttpError 429.
 */
async function countUpload(site: SiteContext, req: Request): Promise<void> {
  const limit = site.settings.system.server.rate_limit;
  if (limit === false) return;
  const security = site.use("security");
  const key = `upload:${security.clientKey(req.ctx.ip)}`;
  const verdict = await security.limit(key, limit, WINDOW_MS);
  if (verdict.allowed) return;
  const headers = { "Retry-After": String(verdict.retryAfterSeconds) };
  throw new HttpError(429, "too many uploads", { headers });
}

async function keep(
  site: SiteContext,
  { section, store, maxBytes }: UploadRoutesOptions,
  { name, stream }: IncomingFile,
): Promise<StoredUpload & { type: string }> {
  const { extension, type } = uploadType(name, section.allowed_types);
  const media = site.use("media");
  const bytes = checkedBytes(stream, {
    maxBytes,
    checkBeginning: (beginning) => media.assertFileType(`upload.${extension}`, beginning),
  });
  return { ...(await store.put(bytes, { extension, type })), type };
}

async function serve(
  { files, section }: UploadRoutesOptions,
  req: Request,
  res: Response,
  name: string,
): Promise<void> {
  const isSent =
    UploadStore.isName(name) &&
    (await files.send(name, {
      req,
      res,
      headers: HEADERS,
      type: servedType(name, section.allowed_types),
    }));
  if (!isSent) throw new HttpError(404, "Not found");
}

/** Code and a type that is no longer allowed are served as a download of bytes. */
function servedType(name: string, allowed: readonly string[]): string {
  const type = registeredTypeOf(name);
  return type !== null && allowed.includes(type) ? mediaTypeOf(name) : "application/octet-stream";
}

const EXTENSION = /[^/\\]\.([A-Za-z0-9]{1,10})$/;

/**
 * The type of an uploaded file by its extension.
 * @throws HttpError 400 ERR_UPLOAD_NAME without one, 415 ERR_UPLOAD_TYPE for one that is not allowed.
 */
export function uploadType(name: string, allowed: readonly string[]): UploadType {
  const extension = name.includes("\0") ? undefined : EXTENSION.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) {
    throw new HttpError(400, "the file name has no extension", { code: "ERR_UPLOAD_NAME" });
  }
  const type = registeredTypeOf(`upload.${extension}`);
  if (type !== null && allowed.includes(type)) return { extension, type };
  throw new HttpError(415, `files of type .${extension} are not allowed`, {
    code: "ERR_UPLOAD_TYPE",
  });
}

/** Bytes checked before any are written: file signatures are at the beginning. */
const BEGINNING = 16_384;

/** Checks of received bytes. */
interface ByteChecks {
  readonly maxBytes: number;
  /** Receives the beginning of the file; an error ends the upload. */
  checkBeginning(beginning: Buffer): Promise<void>;
}

/**
 * Streams the bytes of an upload once its beginning has passed the check.
 * @throws HttpError 413 above the limit, 400 for an empty file, and what the check throws.
 */
export async function* checkedBytes(
  stream: AsyncIterable<unknown>,
  { maxBytes, checkBeginning }: ByteChecks,
): AsyncGenerator<Buffer> {
  let pending: Buffer[] | null = [];
  let size = 0;
  for await (const part of stream) {
    const chunk = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    if (pending === null) yield chunk;
    else {
      pending.push(chunk);
      if (size < BEGINNING) continue;
      const beginning = Buffer.concat(pending);
      pending = null;
      await checkBeginning(beginning);
      yield beginning;
    }
  }
  if (size === 0) throw new HttpError(400, "the file is empty", { code: "ERR_UPLOAD_FORM" });
  if (pending === null) return;
  const all = Buffer.concat(pending);
  await checkBeginning(all);
  yield all;
}

/** 413 with the limit. */
export function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, `the file is larger than ${Math.floor(maxBytes)} bytes`, {
    code: "ERR_UPLOAD_SIZE",
  });
}
