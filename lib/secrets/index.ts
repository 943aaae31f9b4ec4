/** Random secrets, hashes, comparison in constant time, sealed texts. Runs in Node.js. */
export { constantTimeEqual } from "./constant-time-equal.js";
export { openText, sealText } from "./sealed-text.js";
export { createSecret, isSecretOf } from "./secret.js";
export { sha256 } from "./sha256.js";
