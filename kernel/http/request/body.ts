import { parse as parseForm } from "node:querystring";
import type { Request, RequestHandler } from "express";
import { HttpError } from "#lib/errors";
import { isRecord } from "#lib/values";
import type { BodyDefinition } from "../../contracts.js";
import { hasBody, readBody } from "./read-body.js";

/** Maximum nesting of a JSON body. */
const MAX_DEPTH = 64;
/** Maximum number of form fields. */
const MAX_FIELDS = 100;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/** Middleware that reads a body as declared; a mismatch is 400, 413 or 415. */
export function bodyParser(definition: BodyDefinition): RequestHandler {
  return async (req, _res, next) => {
    if (definition.as !== "raw") assertType(req, definition.as);
    const bytes = await readBody(req, definition.limit);
    // Some clients send `Content-Length: 0` without a body.
    const isNone = bytes?.length === 0 && contentType(req) === "";
    if (bytes !== undefined && !isNone) req.body = parse(req, bytes, definition.as);
    next();
  };
}

function parse(req: Request, bytes: Buffer, as: BodyDefinition["as"]): unknown {
  if (as === "raw") return bytes;
  return FORM_TYPE.test(contentType(req)) ? formBody(bytes) : jsonBody(bytes);
}

function contentType(req: Request): string {
  return req.headers["content-type"] ?? "";
}

function assertType(req: Request, as: "json" | "form"): void {
  const type = contentType(req);
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  if (charset.toLowerCase() !== "utf-8") {
    throw new HttpError(415, `charset ${JSON.stringify(charset)} is not supported, send utf-8`);
  }
  if (JSON_TYPE.test(type) || (as === "form" && FORM_TYPE.test(type)) || !hasBody(req)) return;
  const wanted = as === "json" ? "application/json" : "application/x-www-form-urlencoded or JSON";
  throw new HttpError(415, `expected Content-Type ${wanted}`);
}

/** The fields of a form, the first value of each. @throws HttpError 400. */
function formBody(bytes: Buffer): Record<string, string> {
  const fields = parseForm(decodeUtf8(bytes), "&", "=", { maxKeys: MAX_FIELDS });
  const first = Object.entries(fields).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ]);
  return Object.fromEntries(first);
}

/**
 * Parses bytes as a JSON object.
 * @throws HttpError 400 for invalid UTF-8, invalid JSON, anything but an object, or deep nesting.
 */
export function jsonBody(bytes: Buffer): Record<string, unknown> {
  const value = parseStrict(bytes);
  if (isRecord(value)) return value;
  throw new HttpError(400, "the body must be a JSON object");
}

function parseStrict(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  assertShallow(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, "the body is not valid JSON");
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError(400, "the body is not valid UTF-8");
  }
}

/** Counts brackets outside strings, so that a deeply nested body never reaches a recursive function. */
function assertShallow(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else depth += step(code);
    if (depth > MAX_DEPTH)
      throw new HttpError(400, `the body is nested deeper than ${MAX_DEPTH} levels`);
  }
}

function step(code: number): -1 | 0 | 1 {
  if (OPENING.has(code)) return 1;
  return CLOSING.has(code) ? -1 : 0;
}
