/** Errors with a code, a fix and an HTTP status. Runs in Node.js and in browsers. */
export { isDiskFailure, isDiskFull } from "./disk-errors.js";
export { errorCode, isErrorCode } from "./error-code.js";
export { HttpError, SiteError, type SiteErrorOptions } from "./site-error.js";
