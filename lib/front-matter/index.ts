/** Where the front matter of a page begins and ends, and its private keys. Runs in Node.js and in browsers. */
export {
  FIELD,
  frontMatterClosing,
  frontMatterOpening,
  isPrivateKey,
  publicKeys,
  type FrontMatterOpening,
} from "./front-matter.js";
