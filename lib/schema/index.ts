/** Data against zod schemas: messages for mistakes, and texts that look like numbers. Runs in Node.js and in browsers. */
export { parseWith } from "./parse-with.js";
export { readData, schemaMistakes, type SchemaMistake } from "./schema-mistakes.js";
export { schemaTexts, schemaTextsOf } from "./schema-texts.js";
export {
  acceptsAbsence,
  childSchema,
  metaOf,
  schemaAt,
  schemaKeys,
  unwrap,
  type FolderUse,
  type Schema,
  type SchemaMeta,
} from "./schema-tree.js";
