/** Versions and ranges of them, as npm reads them. Runs in Node.js. */
export { isRange, maxSatisfying, satisfies } from "./versions.js";
