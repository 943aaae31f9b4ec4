/** Addresses on the web. Runs in Node.js and in browsers. */
export { canParseUrl } from "./can-parse-url.js";
export { httpUrl, isExposedUrl, isLoopbackUrl } from "./http-url.js";
