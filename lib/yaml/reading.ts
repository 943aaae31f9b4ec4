/** The reader of YAML without the editor: for programs to which its size matters, such as pages in a browser. */
export { parseYaml, plainNumber, plainValue, type YamlOptions } from "./parse.js";
export { isEqualValue, YamlEditError } from "./values.js";
