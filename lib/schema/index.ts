/** Data against zod schemas: messages for mistakes, and texts that look like numbers. Runs in Node.js and in browsers. */
export { parseWith, readData, type SchemaMistake, schemaMistakes } from "./schema-mistakes.js";
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
