/** Configuration in three steps: read the files, read the plugin selection, resolve against all schemas. */
export { parseConfigFiles } from "./parse-files.js";
export type { ConfigFiles, FileText } from "./parse-files.js";
export { readConfigFiles } from "./read-files.js";
export { loadProblem, pluginProblemAt, pluginEntries } from "./plugins/plugin-entries.js";
export type { PluginSelection } from "./plugins/plugin-entries.js";
export { resolveConfig } from "./resolve-config.js";
export type { ResolvedConfig } from "./resolve-config.js";
export { ConfigError } from "./problem.js";
export type { ConfigProblem } from "./problem.js";
