/** YAML as values and back, without the editor: for programs to which its size matters, such as pages in a browser. */
export {
  type Position,
  readYaml,
  type YamlDocument,
  type YamlMistake,
  type YamlReading,
} from "./document.js";
export { plainNumber, plainValue } from "./parse.js";
export { formatYaml } from "./render.js";
export { isEqualValue, YamlEditError } from "./values.js";
