import type { FieldError } from "#kernel";
import { checkFields } from "#kernel/internal";
import type { FlexFieldError, FlexType } from "../contract.js";

const CODES: Readonly<Record<FieldError["issue"], string>> = {
  required: "ERR_FLEX_REQUIRED",
  kind: "ERR_FLEX_KIND",
  option: "ERR_FLEX_OPTION",
  min: "ERR_FLEX_MIN",
  max: "ERR_FLEX_MAX",
  format: "ERR_FLEX_FORMAT",
  depth: "ERR_FLEX_DEPTH",
};

/** The coerced non-empty fields of a record, and their problems. */
export function checkRecord(
  type: FlexType,
  data: Readonly<Record<string, unknown>>,
): { values: Record<string, unknown>; errors: FlexFieldError[] } {
  const { values, errors } = checkFields(type.fields, data);
  return {
    values,
    errors: errors.map(({ issue, ...error }) => ({ ...error, code: CODES[issue] })),
  };
}
