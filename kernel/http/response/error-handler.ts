import { STATUS_CODES } from "node:http";
import type { NextFunction, Request, Response } from "express";
import { SiteError, errorCode, isDiskFailure, isDiskFull } from "#lib/errors";
import { hasBody, MemoryConnection } from "#lib/http";
import type { Answer, ErrorPage, Http, RequestContext } from "../../contracts.js";
import { EngineError } from "../../errors.js";
import { failureFields } from "../../boot/describe-failure.js";
import { engineErrorIn, engineFailureFields } from "../../engines/engine-calls.js";

/** The part of an error that a client may see. */
export interface PublicError {
  status: number;
  message: string;
  details?: readonly unknown[] | undefined;
  validationErrors?: SiteError["validationErrors"];
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The parts of a server that the handler uses. */
export interface ErrorOptions {
  http: Pick<Http, "send">;
  isJson(req: Request): boolean;
  page(): ErrorPage | null;
}

/** Turns a thrown value into a response: JSON below JSON prefixes and for programs, else the error page. */
export function errorHandler(options: ErrorOptions) {
  return async (
    error: unknown,
    req: Request,
    res: Response,
    _next: NextFunction,
  ): Promise<void> => {
    const shown = publicError(error);
    if (shown.status >= 500) {
      logFailure(req, error);
      if (req.socket instanceof MemoryConnection) req.socket.failure = error;
    }
    if (res.headersSent || res.destroyed) {
      res.destroy();
      return;
    }
    if (hasBody(req) && !req.complete) await dropBody(req, res);
    await answerError(options, { req, res, shown, cause: error });
  };
}

/** How much of a rejected body is read and discarded, in ms and bytes. */
const DROP_MS = 300;
const DROP_BYTES = 1_048_576;

/**
 * The rest of a rejected body must not be parsed as the next request: the connection closes. A part is
 * read first, because closing with unread bytes would lose the response.
 */
async function dropBody(req: Request, res: Response): Promise<void> {
  res.setHeader("Connection", "close");
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DROP_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    let dropped = 0;
    req.on("data", (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > DROP_BYTES) end();
    });
    req.once("end", end).once("close", end).once("error", end).resume();
  });
}

/** A failed request, what its client may see of the error, and the error itself. */
interface FailedRequest {
  req: Request;
  res: Response;
  shown: PublicError;
  cause: unknown;
}

async function answerError(options: ErrorOptions, failed: FailedRequest): Promise<void> {
  const { req, res, shown } = failed;
  const { status, message, headers = {} } = shown;
  const noStore = { "Cache-Control": "no-store", ...headers };
  if (!options.isJson(req) && isForPeople(req)) {
    const page = (await renderPage(options, failed)) ?? {
      status,
      type: "text/plain; charset=utf-8",
      body: `${status} ${message}\n`,
    };
    options.http.send(req, res, { ...page, headers: { ...noStore, ...page.headers } });
    return;
  }
  const { details, validationErrors } = shown;
  const body = JSON.stringify({ error: message, details, validationErrors });
  const type = "application/json; charset=utf-8";
  options.http.send(req, res, { status, type, body, headers: noStore });
}

/** A browser that sends a form accepts HTML; a client that changes something without it is a program. */
function isForPeople(req: Request): boolean {
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (isRead) return req.accepts("html", "json") !== "json";
  return /\btext\/html\b/i.test(req.headers.accept ?? "");
}

async function renderPage(
  options: ErrorOptions,
  { req, shown: { status, message }, cause }: FailedRequest,
): Promise<Answer | null> {
  try {
    return (await options.page()?.(req, { status, message, cause })) ?? null;
  } catch (error) {
    logFailure(req, error);
    return null;
  }
}

/** The message for the client: the error's own when it is meant for clients, else a generic one. */
export function publicError(error: unknown): PublicError {
  if (error instanceof SiteError && error.status !== undefined) {
    const { status, message, details, validationErrors, headers } = error;
    const invalid = validationErrors === undefined ? {} : { validationErrors };
    return { status, message, details, ...invalid, headers };
  }
  const disk = diskError(error);
  if (disk !== null) return disk;
  const status = statusOf(error);
  if (status === null) return { status: 500, message: "Internal server error" };
  const message = MESSAGES[status] ?? (status < 500 ? "Bad request" : STATUS_CODES[status]);
  return { status, message: message ?? "Internal server error" };
}

const MESSAGES: Readonly<Record<number, string>> = {
  400: "Bad request",
  404: "Not found",
  413: "the body is too large",
  415: "the body's encoding is not supported",
};

/** Disk errors are temporary server errors. Their own messages contain paths. */
function diskError(error: unknown): PublicError | null {
  const code = errorCode(error);
  if (isDiskFull(code)) return { status: 507, message: "the disk is full: nothing was saved" };
  if (!isDiskFailure(code) && code !== "EBUSY") return null;
  const headers = { "Retry-After": "30" };
  return { status: 503, message: "the site's files are temporarily unavailable", headers };
}

/** Errors of Express, its router and middleware have a status; their messages are not shown. */
function statusOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("status" in error)) return null;
  const { status } = error;
  return typeof status === "number" && status >= 400 && status < 600 ? status : null;
}

/** Logs a server error with the stack of its root cause, an intended response (501, 503) with its cause. */
function logFailure(req: Request, error: unknown): void {
  const fields = { method: req.method, path: req.ctx.path, error: describe(error) };
  if (error instanceof SiteError && error.status !== undefined) {
    const { error: _message, ...engine } =
      engineErrorIn(error) === null ? { error } : engineFailureFields(error);
    const cause = error.cause === undefined ? {} : { cause: describe(error.cause), ...engine };
    // Normal during startup: a load balancer polls until the site is ready.
    const level = error.code === "ERR_SITE_STARTING" ? "debug" : "warn";
    req.ctx.log[level]("request.refused", { ...fields, ...cause });
    return;
  }
  const { handledBy }: RequestContext = req.ctx;
  const { at, stack, fix } = failureFields(error);
  req.ctx.log.error("request.failed", {
    ...fields,
    ...(handledBy !== undefined && { plugin: handledBy.plugin, route: handledBy.route }),
    ...engineErrorIn(error)?.of,
    ...(fix !== undefined && { fix }),
    ...(at !== undefined && { at }),
    stack,
  });
}

function describe(error: unknown): string {
  if (error instanceof SiteError || error instanceof EngineError)
    return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
