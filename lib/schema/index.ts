/** Data against zod schemas: messages for mistakes, texts that look like numbers, variables, JSON Schema. Runs in Node.js and in browsers. */
export { parseWith, readData, type SchemaMistake, schemaMistakes } from "./schema-mistakes.js";
export { inputJsonSchema } from "./json-schema.js";
export {
  acceptsAbsence,
  childSchema,
  type FolderUse,
  metaOf,
  type Schema,
  schemaAt,
  schemaKeys,
  type SchemaMeta,
  schemaTexts,
  schemaTextsOf,
  unwrap,
} from "./schema-tree.js";
export { expandValues, maskSecrets, type UnsetVariable, type VariableSource } from "./variables.js";
export { variableName } from "./variable-name.js";
