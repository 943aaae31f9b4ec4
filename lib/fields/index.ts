/** The field language: kinds of fields, their definitions, checks and conversion. Runs in Node.js. */
export {
  checkFields,
  coerceValue,
  fieldTexts,
  initialValue,
  initialValues,
  isConditionMet,
  isEmpty,
  valueMistakes,
} from "./check-fields.js";
export type {
  Field,
  FieldError,
  FieldFinding,
  FieldIssue,
  FieldKind,
  FieldMoment,
  FieldOption,
  FieldReference,
  JsonSchema,
} from "./contract.js";
export { FieldKinds } from "./field-kinds.js";
export { fieldsSchema } from "./nested-kinds.js";
export {
  definitionTexts,
  formatFieldProblem,
  readFields,
  type FieldProblem,
  type KindLookup,
} from "./read-fields.js";
export { referencesIn, relationKind, relationTargets } from "./relation-kinds.js";
export { numberTexts, writtenNumbers } from "./value-kinds.js";
