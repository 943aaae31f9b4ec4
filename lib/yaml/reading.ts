/** What reads YAML, without the editor: for programs to which its size matters, such as pages in a browser. */
export { parseYaml, type YamlOptions } from "./parse.js";
export { plainNumber, plainValue } from "./scalars.js";
export { isEqualValue } from "./values.js";
export { YamlEditError } from "./yaml-edit-error.js";
