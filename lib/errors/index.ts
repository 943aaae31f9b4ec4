/** Errors with a code, a fix and an HTTP status. Runs in Node.js and in browsers. */
export { errorCode, isErrorCode } from "./error-code.js";
export { HttpError, SiteError, type SiteErrorOptions } from "./site-error.js";
