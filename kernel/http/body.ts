import express, { type Request, type RequestHandler, type Response } from "express";
import type { BodyDefinition } from "../contracts.js";
import { HttpError } from "../errors.js";

/** Deepest nesting of a JSON body. */
const DEEPEST = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Middleware that reads a body as declared; what does not fit is 400, 413 or 415. */
export function bodyParser(definition: BodyDefinition): RequestHandler[] {
  const { limit } = definition;
  if (definition.as === "raw") return [express.raw({ type: () => true, limit, inflate: false })];
  const json = express.raw({ type: isJson, limit, inflate: false });
  const parsers: RequestHandler[] = [requireType(definition.as), json, parseJson];
  if (definition.as === "form") {
    parsers.push(
      express.urlencoded({ extended: false, limit, parameterLimit: 100, inflate: false }),
    );
  }
  return parsers;
}

function isJson(req: { headers: Record<string, string | string[] | undefined> }): boolean {
  const type = req.headers["content-type"];
  return typeof type === "string" && /^application\/(?:[\w.+-]+\+)?json\b/i.test(type);
}

function isForm(req: Request): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(req.headers["content-type"] ?? "");
}

function requireType(as: "json" | "form"): RequestHandler {
  const wanted = as === "json" ? "application/json" : "application/x-www-form-urlencoded or JSON";
  return (req, _res, next) => {
    const charset = /charset="?([\w-]+)/i.exec(req.headers["content-type"] ?? "")?.[1] ?? "utf-8";
    if (charset.toLowerCase() !== "utf-8") {
      throw new HttpError(415, `charset ${JSON.stringify(charset)} is not supported, send utf-8`);
    }
    const fits = isJson(req) || (as === "form" && isForm(req));
    if (fits || isEmpty(req)) next();
    else throw new HttpError(415, `expected Content-Type ${wanted}`);
  };
}

function isEmpty(req: Request): boolean {
  return (
    req.headers["transfer-encoding"] === undefined && !(Number(req.headers["content-length"]) > 0)
  );
}

function parseJson(req: Request, _res: Response, next: () => void): void {
  if (Buffer.isBuffer(req.body)) req.body = jsonBody(req.body);
  next();
}

/**
 * A JSON object out of bytes.
 * @throws HttpError 400 for invalid UTF-8, invalid JSON, anything but an object, or deep nesting.
 */
export function jsonBody(bytes: Buffer): Record<string, unknown> {
  const value = parseStrict(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new HttpError(400, "the body must be a JSON object");
  }
  return value as Record<string, unknown>;
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

/** Counts brackets outside strings, so that a deep body never reaches a recursive function. */
function assertShallow(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) depth -= 1;
    if (depth > DEEPEST)
      throw new HttpError(400, `the body is nested deeper than ${DEEPEST} levels`);
  }
}
