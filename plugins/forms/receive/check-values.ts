/** Checks what was sent against the fields of a form. */
import type { Field, FieldError } from "#kernel";
import { checkFields, isConditionMet, isEmpty } from "#kernel/internal";
import type { SentFields } from "../contract.js";
import type { Form } from "../definition/form.js";

/** What was sent, as far as the form asks for it. */
export interface CheckedValues {
  /** Converted; fields whose condition is not met are left out. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: readonly FieldError[];
}

/** The converted values, and what does not fit. Names that are no fields are ignored. */
export function checkValues({ fields }: Pick<Form, "fields">, sent: SentFields): CheckedValues {
  // Defaults prefill the form; what a visitor has emptied stays empty.
  const asked = fields.map((field): Field => ({ ...field, default: undefined }));
  const given = Object.fromEntries(
    asked.map((field) => [field.name, valueOf(field, sent)] as const),
  );
  const { values, errors } = checkFields(asked, given);
  const isAsked = (field: Field): boolean => isConditionMet(field, values);
  const unticked = asked.filter(
    (field) =>
      field.kind.control === "checkbox" && field.required && isAsked(field) && !values[field.name],
  );
  const kept = asked.filter((field) => Object.hasOwn(values, field.name) && isAsked(field));
  return {
    values: Object.fromEntries(kept.map(({ name }) => [name, values[name]])),
    errors: [
      ...errors,
      ...unticked
        .filter(({ name }) => !errors.some(({ field }) => field === name))
        .map(({ name, label }): FieldError => {
          return { field: name, issue: "required", message: `${label} is required.` };
        }),
    ],
  };
}

/** An unticked box is not sent. Texts of one line break only in text areas. */
function valueOf({ name, kind }: Field, sent: SentFields): unknown {
  const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
  if (kind.control === "checkbox" && isEmpty(value)) return false;
  if (typeof value !== "string") return value;
  const text = value.replaceAll("\r\n", "\n");
  return kind.control === "textarea" ? text : text.trim();
}
