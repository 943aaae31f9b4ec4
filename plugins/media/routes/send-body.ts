import type { Request, Response } from "express";
import type { Http } from "#kernel";
import type { InternalAnswer } from "#kernel/internal";
import type { MediaResponse } from "../originals/media-responses.js";
import {
  isNotModified,
  isRangeFresh,
  parseRange,
  type RangeAnswer,
} from "../originals/byte-range.js";

/** A body to send in full, in part, or not at all. */
export interface MediaBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly etag: string;
  readonly mtimeMs: number;
  readonly size: number;
}

/** Evaluates the conditions and range of a request; null after a 304 or 416 was sent. */
export function wantedPart(
  req: Request,
  res: Response,
  body: MediaBody,
): Exclude<RangeAnswer, { kind: "unsatisfiable" }> | null {
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
  range: { kind: "whole" } | { kind: "part"; start: number; end: number },
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
export function wholeAnswer(body: MediaResponse): InternalAnswer {
  const { headers } = bodyHeaders({ ...body, size: body.body.length }, { kind: "whole" });
  return { type: body.type, headers, body: body.body, skipsFilters: true };
}

/** Sends a body that is in memory. */
export function sendBuffer(
  http: Pick<Http, "send">,
  { req, res }: { req: Request; res: Response },
  answer: MediaResponse & { readonly whole?: InternalAnswer },
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
  const partial: InternalAnswer = {
    status,
    type: answer.type,
    headers,
    body: part,
    skipsFilters: true,
  };
  http.send(req, res, partial);
}
