/** Random secrets, hashes, comparison in constant time, sealed texts, texts without secrets. Runs in Node.js. */
export { isSecretName, withoutSecrets } from "./redact.js";
export {
  constantTimeEqual,
  createSecret,
  isSecretOf,
  openText,
  sealText,
  sha256,
} from "./secrets.js";
