/** Values of unknown form: checks, paths of keys, the nearest name, a map of limited size. Runs in Node.js and in browsers. */
export { BoundedMap } from "./bounded-map.js";
export { isRecord } from "./is-record.js";
export { formatKey, valueAt, type KeyPath } from "./key-path.js";
export { nearest } from "./nearest.js";
export {
  expectEach,
  expectFields,
  expectJson,
  expectKind,
  expectMethods,
  expectNullable,
  expectOptional,
  expectValues,
  shownValue,
  type ValueCheck,
  type ValueKind,
} from "./value-checks.js";
