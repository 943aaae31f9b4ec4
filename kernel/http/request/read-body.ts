import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpError } from "#lib/errors";

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
