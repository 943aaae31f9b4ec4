/** Errors with a code, a fix and an HTTP status. Runs in Node.js and in browsers. */
export {
  errorCode,
  HttpError,
  isDiskFailure,
  isDiskFull,
  isErrorCode,
  SiteError,
  type SiteErrorOptions,
} from "./errors.js";
