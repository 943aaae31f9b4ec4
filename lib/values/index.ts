/** Values of unknown form: checks, paths of keys, the nearest name, a map of limited size. Runs in Node.js and in browsers. */
export { causeOf, type FileProblem, formatProblem } from "./file-problem.js";
export { BoundedMap } from "./bounded-map.js";
export {
  expectEach,
  expectFields,
  expectJson,
  expectKind,
  expectMethods,
  expectNullable,
  expectOneOf,
  expectOptional,
  expectText,
  expectValues,
  formatKey,
  isPromise,
  isRecord,
  type KeyPath,
  shownValue,
  valueAt,
  type ValueCheck,
  type ValueKind,
} from "./value-checks.js";
export { nearest } from "./nearest.js";
export { mergeValues, parseJson } from "./json.js";
