/** Where the front matter of a page begins and ends. Runs in Node.js and in browsers. */
export {
  FIELD,
  frontMatterClosing,
  frontMatterOpening,
  type FrontMatterOpening,
} from "./front-matter.js";
