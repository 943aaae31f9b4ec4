import { STATUS_CODES } from "node:http";
import { errorCode, isDiskFailure, isDiskFull, SiteError } from "#lib/errors";

/** The part of an error that a client may see. */
export interface PublicError {
  status: number;
  message: string;
  details?: readonly unknown[] | undefined;
  validationErrors?: SiteError["validationErrors"];
  headers?: Readonly<Record<string, string>> | undefined;
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
  const status = readStatus(error);
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
function readStatus(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("status" in error)) return null;
  const { status } = error;
  return typeof status === "number" && status >= 400 && status < 600 ? status : null;
}
