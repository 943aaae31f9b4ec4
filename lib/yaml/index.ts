/** YAML: the only reader, with positions, one schema of scalars, one editor. Runs in Node.js and in browsers. */
export { editYaml, mergeYaml, withoutKeys, type YamlChange, type YamlEditing } from "./edit.js";
export {
  formatYaml,
  isEqualValue,
  plainNumber,
  plainValue,
  type Position,
  readYaml,
  type YamlDocument,
  YamlEditError,
  type YamlMistake,
  type YamlReading,
} from "./reading.js";
export { configValues, invalidKey, setYamlKey, setYamlKeys } from "./set-keys.js";
export { brokenSource, nearestLine, parseYamlSource, type YamlSource } from "./source.js";
