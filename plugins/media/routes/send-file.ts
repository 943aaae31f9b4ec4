import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { openInside, type OpenedFile } from "../originals/open-file.js";
import type { BytesToSend, FileToSend } from "../contract.js";
import { bodyHeaders, wantedPart } from "./send-body.js";

/** Bytes per read; with the default of 64 KB, a large file costs 40 % more CPU. */
const CHUNK = 256 * 1024;

/** Sends a file below a folder; false when it does not exist. */
export async function sendInside(
  req: Request,
  res: Response,
  wanted: FileToSend,
): Promise<boolean> {
  const opened = await openInside(wanted.root, wanted.file);
  if (opened === null) return false;
  try {
    await sendOpened({ req, res }, opened, wanted);
  } finally {
    await opened.handle.close();
  }
  return true;
}

/**
 * Sends an opened file or its requested part, with a validator from its stamp. Not with the package
 * `send`: it opens a path again, has weak validators, and stalls on a file that was truncated.
 */
export async function sendOpened(
  { req, res }: { req: Request; res: Response },
  { handle, stamp, mtimeMs }: OpenedFile,
  { type, headers }: Pick<FileToSend, "type" | "headers">,
): Promise<void> {
  const { size, mtimeNs, inode } = stamp;
  const etag = `"${size.toString(36)}-${mtimeNs.toString(36)}-${inode.toString(36)}"`;
  const body = { type, headers, etag, mtimeMs, size };
  const range = wantedPart(req, res, body);
  if (range === null) return;
  const { start, end } = range.kind === "part" ? range : { start: 0, end: size - 1 };
  const answer = bodyHeaders(body, range);
  res.writeHead(answer.status, {
    ...answer.headers,
    "Content-Type": type,
    "Content-Length": String(end - start + 1),
  });
  if (req.method === "HEAD" || end < start) res.end();
  else await sendPart(handle, res, { start, end });
}

/** Sends bytes from elsewhere or their requested part; closes the connection when they end too early. */
export async function sendBytes(req: Request, res: Response, bytes: BytesToSend): Promise<void> {
  const range = wantedPart(req, res, bytes);
  if (range === null) return;
  const { start, end } = range.kind === "part" ? range : { start: 0, end: bytes.size - 1 };
  const answer = bodyHeaders(bytes, range);
  const isEmpty = req.method === "HEAD" || end < start;
  // Before the headers: a bucket that is down is a 503.
  const body = isEmpty ? null : await bytes.read({ start, end });
  res.writeHead(answer.status, {
    ...answer.headers,
    "Content-Type": bytes.type,
    "Content-Length": String(end - start + 1),
  });
  if (body === null) res.end();
  else await pipeline(body, res).catch(() => res.destroy());
}

/**
 * Sends a part of an opened file as the body, both ends included, and ends the response. Stops
 * reading when the client leaves; closes the connection when the file was truncated, so that the
 * client notices.
 */
export async function sendPart(
  handle: FileHandle,
  res: Response,
  { start, end }: { start: number; end: number },
): Promise<void> {
  const file = handle.createReadStream({ start, end, highWaterMark: CHUNK, autoClose: false });
  try {
    await pipeline(file, res, { end: false });
    if (file.bytesRead < end - start + 1) throw new RangeError("the file was truncated");
    res.end();
  } catch {
    res.destroy();
  }
}
