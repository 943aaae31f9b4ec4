/** Modules that are loaded at run time, as TypeScript too, and the places of their authors behind the positions of Node. Runs in Node.js. */
export {
  authorPlaceOf,
  excerptOf,
  firstCause,
  formatPosition,
  placeOf,
  type SourcePosition,
  stackOf,
} from "./author-places.js";
export { ModuleLoader } from "./load-module.js";
