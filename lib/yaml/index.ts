/** YAML: one reader, one schema of scalars, one editor. Runs in Node.js and in browsers. */
export {
  lineAt,
  lineOf,
  offsetOf,
  readYaml,
  textsOf,
  type YamlDocument,
  type YamlReading,
} from "./document.js";
export { editYaml, mergeYaml, type YamlChange, type YamlEditing } from "./edit.js";
export { yamlMistakes, type YamlMistake } from "./mistakes.js";
export {
  YamlEditError,
  isEqualValue,
  parseYaml,
  plainNumber,
  plainValue,
  type YamlOptions,
} from "./reading.js";
export { formatYaml } from "./render.js";
