/** Errors with a code, a fix and an HTTP status. Runs in Node.js and in browsers. */

/** Options of an error beside its message. */
export interface SiteErrorOptions {
  /** Tells how to fix it: lower-case, no full stop. */
  fix?: string;
  /** A list for `details` of the response. */
  details?: readonly unknown[];
  /** Fields of the request that do not fit, for `validationErrors` of the response. */
  validationErrors?: readonly { readonly field: string; readonly message: string }[];
  /** HTTP status of the response; default 500. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Exit code of a command that ends with it: 2 when the command could not run; default 1. */
  exitCode?: 1 | 2;
  /** The plugin at fault, when the work of another one fails because of it. */
  plugin?: string;
  cause?: unknown;
}

/** An error with a code of the form `ERR_AREA_WHAT`; the message names the problem and the value received. */
export class SiteError extends Error {
  override readonly name: string = "SiteError";
  readonly code: string;
  // Declared only: an error that is printed shows the options that it has.
  declare readonly fix: string | undefined;
  declare readonly details: readonly unknown[] | undefined;
  declare readonly validationErrors: SiteErrorOptions["validationErrors"];
  declare readonly status: number | undefined;
  declare readonly headers: Readonly<Record<string, string>> | undefined;
  declare readonly exitCode: SiteErrorOptions["exitCode"];
  declare readonly plugin: string | undefined;

  constructor(code: string, message: string, options: SiteErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.fix !== undefined) this.fix = options.fix;
    if (options.details !== undefined) this.details = options.details;
    if (options.validationErrors !== undefined) this.validationErrors = options.validationErrors;
    if (options.status !== undefined) this.status = options.status;
    if (options.headers !== undefined) this.headers = options.headers;
    if (options.exitCode !== undefined) this.exitCode = options.exitCode;
    if (options.plugin !== undefined) this.plugin = options.plugin;
  }
}

/** An error meant for the client: its message is sent as `{ "error": message }`. */
export class HttpError extends SiteError {
  override readonly name: string = "HttpError";
  override readonly status: number;

  constructor(status: number, message: string, options: SiteErrorOptions & { code?: string } = {}) {
    super(options.code ?? `ERR_HTTP_${status}`, message, options);
    this.status = status;
  }
}

/** The code of an error: `ENOENT` of Node, our `ERR_…`; empty for any other value. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** True for the code of a failure: `ERR_…` and `ENOENT`; any other code may be a secret, such as a login code. */
export function isErrorCode(value: unknown): value is string {
  return typeof value === "string" && /^(?:ERR_[A-Z_]+|E[A-Z]{2,20})$/.test(value);
}

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
const REFUSED: ReadonlySet<unknown> = new Set([
  "EIO",
  "EROFS",
  "EACCES",
  "EPERM",
  "EMFILE",
  "ENFILE",
]);

/** True for the code of a full disk or a used up quota. */
export function isDiskFull(code: string | undefined): boolean {
  return FULL.has(code);
}

/** True for the code of a disk that takes no more writes: full, read-only, failing, or without rights to it. */
export function isDiskFailure(code: string | undefined): boolean {
  return FULL.has(code) || REFUSED.has(code);
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True for the error of a file or folder that does not exist, or whose name is too long to exist. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(errorCode(error));
}
