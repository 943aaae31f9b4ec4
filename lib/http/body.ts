/** Bodies of requests: read within limits of size and time, parsed within limits of form. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { parse as parseForm } from "node:querystring";
import { HttpError } from "#lib/errors";
import { isRecord } from "#lib/values";

/** Time limit for a body, in ms; uploads have their own. */
const SLOWEST_MS = 30_000;

/** True for a request with a body, whether it has arrived or not. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
}

/**
 * The bytes of a body; undefined when the request has no body. The limit is checked while the bytes arrive.
 * @throws HttpError 413 above `limit` bytes, 415 for a compressed body, 408 for a slow one, 400 for a truncated one.
 */
export async function readBody(req: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const { "content-length": length, "transfer-encoding": coding } = req.headers;
  if (coding === undefined && length === undefined) return undefined;
  const encoding = req.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new HttpError(415, `Content-Encoding ${JSON.stringify(encoding)} is not supported`);
  }
  if (Number(length) > limit) throw tooLarge(limit);
  return collect(req, limit);
}

function tooLarge(limit: number): HttpError {
  return new HttpError(413, `the body is larger than ${limit} bytes`);
}

function collect(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => {
      stop();
      reject(new HttpError(408, "the body took too long"));
    }, SLOWEST_MS);
    const stop = (): void => {
      clearTimeout(timer);
      req.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      stop();
      reject(tooLarge(limit));
    };
    const onEnd = (): void => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    const onBroken = (): void => {
      stop();
      reject(new HttpError(400, "the body was truncated"));
    };
    req.on("data", onData).on("end", onEnd).on("error", onBroken).on("close", onBroken);
  });
}

/** Minimum rate of a body once its grace period is over. */
const BYTES_PER_SECOND = 1_024;
const CHECKS = 8;

/** Called with a body that is too slow. */
interface SlowBodyOptions {
  /** Grace period before the rate is checked, in ms. */
  graceMs: number;
  onSlow(req: IncomingMessage, res: ServerResponse): void;
}

/**
 * Watches the body of a request until it is complete, whether a handler reads it or not. Only time in
 * which the server reads from the connection counts: a handler may pause an upload.
 */
export function watchBody(
  req: IncomingMessage,
  res: ServerResponse,
  { graceMs, onSlow }: SlowBodyOptions,
): void {
  const { socket } = req;
  const start = socket.bytesRead;
  const everyMs = graceMs / CHECKS;
  let waitedMs = 0;
  const timer = setInterval(() => {
    if (req.complete || socket.destroyed) return stop();
    if (socket.isPaused()) return;
    waitedMs += everyMs;
    const dueBytes = ((waitedMs - graceMs) / 1_000) * BYTES_PER_SECOND;
    if (waitedMs < graceMs || socket.bytesRead - start >= dueBytes) return;
    stop();
    onSlow(req, res);
  }, everyMs);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  // A response may be sent before the body is complete: keep watching.
  res.once("close", () => {
    if (req.complete) stop();
  });
}

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

/** A request whose body a handler reads from `body`. */
interface ParsedRequest extends IncomingMessage {
  body?: unknown;
}

/** How a body is read. */
export interface BodyForm {
  /** `raw` gives a Buffer; `form` takes urlencoded, and JSON too. */
  readonly as: "json" | "form" | "raw";
  /** In bytes. */
  readonly limit: number;
}

/** Middleware that reads a body into `req.body`; a mismatch is 400, 413 or 415. */
export function bodyParser(
  definition: BodyForm,
): (req: ParsedRequest, res: unknown, next: () => void) => Promise<void> {
  return async (req, _res, next) => {
    if (definition.as !== "raw") assertType(req, definition.as);
    const bytes = await readBody(req, definition.limit);
    // Some clients send `Content-Length: 0` without a body.
    const isNone = bytes?.length === 0 && contentType(req) === "";
    if (bytes !== undefined && !isNone) req.body = parse(req, bytes, definition.as);
    next();
  };
}

function parse(req: IncomingMessage, bytes: Buffer, as: BodyForm["as"]): unknown {
  if (as === "raw") return bytes;
  return FORM_TYPE.test(contentType(req)) ? formBody(bytes) : jsonBody(bytes);
}

function contentType(req: IncomingMessage): string {
  return req.headers["content-type"] ?? "";
}

function assertType(req: IncomingMessage, as: "json" | "form"): void {
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

/** The rest of a rejected body is read and discarded: at most so long, in ms, and so many bytes. */
const DROP_MS = 10_000;
const DROP_BYTES = 64 * 1_048_576;
/** The response is sent when the client pauses for this long, in ms. */
const DROP_IDLE_MS = 1_000;

/**
 * Lets the connection close after the response, as the rest of a rejected body must not be parsed as the next
 * request. Resolves when it was read: closing with unread bytes resets the connection, and the client may lose the
 * response (RFC 9112, section 9.6).
 */
export async function dropBody(req: IncomingMessage, res: ServerResponse): Promise<void> {
  res.setHeader("Connection", "close");
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(idle);
      clearTimeout(total);
      resolve();
    };
    const idle = setTimeout(end, DROP_IDLE_MS);
    const total = setTimeout(end, DROP_MS);
    let dropped = 0;
    req.on("data", (chunk: Buffer) => {
      dropped += chunk.length;
      idle.refresh();
      if (dropped > DROP_BYTES) end();
    });
    req.once("end", end).once("close", end).once("error", end).resume();
  });
}
