/** Random secrets, hashes, comparison in constant time, sealed texts. Runs in Node.js. */
export {
  constantTimeEqual,
  createSecret,
  isSecretOf,
  openText,
  sealText,
  sha256,
} from "./secrets.js";
