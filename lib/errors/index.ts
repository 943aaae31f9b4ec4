/** Errors with a code, a fix and an HTTP status. Runs in Node.js and in browsers. */
export {
  errorCode,
  HttpError,
  isDiskFailure,
  isDiskFull,
  isErrorCode,
  isMissing,
  messageOf,
  SiteError,
  type SiteErrorOptions,
} from "./errors.js";
