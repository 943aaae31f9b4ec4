/** YAML: one reader, one schema of scalars, one editor. Runs in Node.js and in browsers. */
export { editYaml, mergeYaml, type YamlChange, type YamlEditing } from "./edit.js";
export { isEqualValue } from "./values.js";
export { YamlEditError } from "./yaml-edit-error.js";
export { formatYaml } from "./render.js";
export { parseYaml, type YamlOptions } from "./parse.js";
export { plainNumber, plainValue } from "./scalars.js";
export {
  readYaml,
  textsOf,
  type YamlDocument,
  type YamlMistake,
  type YamlReading,
} from "./document.js";
