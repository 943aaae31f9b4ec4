import type { NextFunction, Request, Response } from "express";
import { SiteError } from "#lib/errors";
import { dropBody, hasBody, MemoryConnection, type PublicError, publicError } from "#lib/http";
import type { Answer, ErrorPage, Http, RequestContext } from "../../contracts.js";
import { EngineError } from "../../errors.js";
import { failureFields } from "../../boot/describe-failure.js";
import { findEngineError, engineFailureFields } from "../../engines/engine-calls.js";

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

/** Logs a server error with the stack of its root cause, an intended response (501, 503) with its cause. */
function logFailure(req: Request, error: unknown): void {
  const fields = { method: req.method, path: req.ctx.path, error: describe(error) };
  if (error instanceof SiteError && error.status !== undefined) {
    const { error: _message, ...engine } =
      findEngineError(error) === null ? { error } : engineFailureFields(error);
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
    ...findEngineError(error)?.of,
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
