import type { Field, JsonSchema } from "./contract.js";

/** JSON Schema of a map with these fields; other keys are allowed. */
export function fieldsSchema(fields: readonly Field[]): JsonSchema {
  // What a condition asks for is not required in every case.
  const required = fields.filter(({ required, when }) => required && when === null);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length > 0 && { required: required.map(({ name }) => name) }),
  };
}

/** JSON Schema of one field's value. */
export function fieldSchema(field: Field): JsonSchema {
  return {
    ...field.kind.jsonSchema(field),
    title: field.label,
    ...(field.help !== "" && { description: field.help }),
    ...(field.default !== undefined && { default: field.default }),
  };
}
