import type { FileHandle } from "node:fs/promises";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import type { Answer, Http } from "#kernel";
import { WorkQueue } from "#lib/concurrency";
import type { MediaResponse } from "../originals/media-responses.js";
import { openInside, type OpenedFile } from "../originals/open-file.js";
import type { ByteRange, BytesToSend, FileToSend } from "../contract.js";

/** A body to send in full, in part, or not at all. */
export interface MediaBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly etag: string;
  readonly mtimeMs: number;
  readonly size: number;
}

/** A body in memory. */
interface BufferedResponse extends MediaResponse {
  /** Sent for the whole body instead of a new response. */
  readonly whole?: Answer;
}

/** A request and its response. */
interface HttpExchange {
  readonly req: Request;
  readonly res: Response;
}

/** Evaluates the conditions and range of a request; null after a 304 or 416 was sent. */
export function wantedPart(req: Request, res: Response, body: MediaBody): ServedRange | null {
  if (isNotModified(req.headers, body)) {
    res.writeHead(304, { ...body.headers, ETag: body.etag }).end();
    return null;
  }
  // Ranges are defined for GET only (RFC 9110, 14.2).
  const isRange = req.method === "GET" && isRangeFresh(req.headers, body);
  const range = parseRange(isRange ? req.headers.range : undefined, body.size);
  if (range.kind !== "unsatisfiable") return range;
  res.writeHead(416, { "Content-Range": `bytes */${body.size}`, "Content-Length": "0" }).end();
  return null;
}

/** Status and headers of a whole body or a part. */
export function bodyHeaders(
  body: MediaBody,
  range: ServedRange,
): { status: number; headers: Record<string, string> } {
  const headers: Record<string, string> = {
    ...body.headers,
    ETag: body.etag,
    "Accept-Ranges": "bytes",
    "Last-Modified": new Date(body.mtimeMs).toUTCString(),
  };
  if (range.kind === "whole") return { status: 200, headers };
  headers["Content-Range"] = `bytes ${range.start}-${range.end}/${body.size}`;
  return { status: 206, headers };
}

/** The full body in memory, as a finished response. */
export function wholeAnswer(body: MediaResponse): Answer {
  const { headers } = bodyHeaders({ ...body, size: body.body.length }, { kind: "whole" });
  return { type: body.type, headers, body: body.body, skipsFilters: true };
}

/** Sends a body that is in memory. */
export function sendBuffer(
  http: Pick<Http, "send">,
  { req, res }: HttpExchange,
  answer: BufferedResponse,
): void {
  const body = { ...answer, size: answer.body.length };
  const range = wantedPart(req, res, body);
  if (range === null) return;
  if (range.kind === "whole") {
    http.send(req, res, answer.whole ?? wholeAnswer(answer));
    return;
  }
  const { status, headers } = bodyHeaders(body, range);
  const part = answer.body.subarray(range.start, range.end + 1);
  const partial: Answer = {
    status,
    type: answer.type,
    headers,
    body: part,
    skipsFilters: true,
  };
  http.send(req, res, partial);
}

/** The part of a body to send: all of it, a range, or nothing because the range does not exist. */
type RangeAnswer = ServedRange | { kind: "unsatisfiable" };
/** The part of a body that exists and is sent. */
type ServedRange = { kind: "whole" } | ({ kind: "part" } & ByteRange);

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;
const WHOLE: RangeAnswer = { kind: "whole" };

/**
 * Parses a `Range` header (RFC 9110, 14.2); `end` is the last byte. Several ranges, and invalid
 * ones, get the whole body.
 */
export function parseRange(header: string | undefined, size: number): RangeAnswer {
  const [, from = "", to = ""] = RANGE.exec(header?.trim() ?? "") ?? [];
  if (from !== "") return fromTo(Number(from), to === "" ? Infinity : Number(to), size);
  return to === "" ? WHOLE : lastBytes(Number(to), size);
}

function fromTo(start: number, end: number, size: number): RangeAnswer {
  if (end < start) return WHOLE;
  if (start >= size) return { kind: "unsatisfiable" };
  return { kind: "part", start, end: Math.min(end, size - 1) };
}

function lastBytes(count: number, size: number): RangeAnswer {
  if (count === 0 || size === 0) return { kind: "unsatisfiable" };
  return { kind: "part", start: Math.max(size - count, 0), end: size - 1 };
}

/** Validators of a body. */
interface Validators {
  /** Strong, with quotes. */
  etag: string;
  /** Unix ms. */
  mtimeMs: number;
}
/** The conditional headers of a request. */
interface Conditions {
  "if-none-match"?: string | undefined;
  "if-modified-since"?: string | undefined;
  "if-range"?: string | undefined;
}

/** True when the client already has this body: 304 (RFC 9110, 13.2.2). */
export function isNotModified(conditions: Conditions, { etag, mtimeMs }: Validators): boolean {
  const tags = conditions["if-none-match"];
  if (tags !== undefined) {
    return (
      tags.trim() === "*" || tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
    );
  }
  const since = conditions["if-modified-since"];
  return since !== undefined && Math.floor(mtimeMs / 1000) * 1000 <= Date.parse(since);
}

/** True when a `Range` applies: there is no `If-Range`, or it matches this body. */
export function isRangeFresh(conditions: Conditions, { etag, mtimeMs }: Validators): boolean {
  const condition = conditions["if-range"];
  if (condition === undefined) return true;
  if (condition.startsWith('"')) return condition === etag;
  return Date.parse(condition) === Math.floor(mtimeMs / 1000) * 1000;
}

/** Bytes per read of one of few files; with the default of 64 KB, a large file costs 40 % more CPU. */
const MAX_CHUNK = 256 * 1024;
/** Bytes per read of one of very many files. */
const MIN_CHUNK = 16 * 1024;
/** Bytes of all files that are being sent, as long as the chunks are not the smallest. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Files that are read at a time: more would keep the few threads from the other work of the site. */
const MAX_READS = 4;

/**
 * Sends files of any size, many at a time: a few of them are read at any moment, and each has one chunk in memory, a
 * smaller one the more there are. The kernel writes the chunks in turns of the clients, and disconnects those that do
 * not read.
 */
export class FileSender {
  readonly #reads = new WorkQueue({ concurrency: MAX_READS });
  #open = 0;

  /** The number of files that are being sent. */
  get open(): number {
    return this.#open;
  }

  /** Sends a file below a folder; false when it does not exist. */
  async sendInside(req: Request, res: Response, file: FileToSend): Promise<boolean> {
    const opened = await openInside(file.root, file.file);
    if (opened === null) return false;
    try {
      await this.sendOpened({ req, res }, opened, file);
    } finally {
      await opened.handle.close();
    }
    return true;
  }

  /**
   * Sends an opened file or its requested part, with a validator from its stamp. Not with the package
   * `send`: it opens a path again, has weak validators, and stalls on a file that was truncated.
   */
  async sendOpened(
    { req, res }: HttpExchange,
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
    else await this.sendPart(handle, res, { start, end });
  }

  /**
   * Sends a part of an opened file as the body, both ends included, and ends the response. Stops
   * reading when the client leaves; closes the connection when the file was truncated, so that the
   * client notices.
   */
  async sendPart(handle: FileHandle, res: Response, { start, end }: ByteRange): Promise<void> {
    this.#open += 1;
    const left = new AbortController();
    const leave = (): void => left.abort();
    res.once("close", leave);
    try {
      for (let at = start; at <= end && !res.destroyed;) {
        const length = Math.min(this.#chunkBytes(), end - at + 1);
        const chunk = await this.#reads.run(() => readChunk(handle, at, length));
        if (chunk.length === 0) throw new RangeError("the file was truncated");
        at += chunk.length;
        if (!res.write(chunk)) await once(res, "drain", { signal: left.signal });
      }
      res.end();
    } catch {
      res.destroy();
    } finally {
      this.#open -= 1;
      res.off("close", leave);
    }
  }

  #chunkBytes(): number {
    const share = Math.floor(MAX_BYTES / this.#open);
    return Math.max(MIN_CHUNK, Math.min(MAX_CHUNK, share));
  }
}

/** Bytes from a position on; fewer at the end of the file, none after it. */
async function readChunk(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({
    buffer: Buffer.allocUnsafeSlow(length),
    position,
  });
  return buffer.subarray(0, bytesRead);
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
