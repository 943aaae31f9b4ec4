/** Addresses on the web. Runs in Node.js and in browsers. */
export { canParseUrl, httpUrl, isExposedUrl, isLoopbackUrl, decodeAddress } from "./urls.js";
