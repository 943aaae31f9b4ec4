/** Addresses on the web, redirect targets and query strings. Runs in Node.js and in browsers. */
export {
  canParseUrl,
  decodeAddress,
  httpUrl,
  isExposedUrl,
  isLoopbackUrl,
  isRooted,
  passedOn,
  safeNext,
  type SplitQuery,
  splitQuery,
} from "./urls.js";
