/** Checks what was sent against the fields of a form, and says what is wrong in the language of the page. */
import type { Field, FieldError } from "#kernel";
import { checkFields, isConditionMet, isEmpty } from "#lib/fields";
import type { SentFields, Text as T } from "./contract.js";
import type { Form } from "./form.js";

/** The sent values that the form asks for. */
interface CheckedValues {
  /** Converted; fields whose condition is not met are left out. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: readonly FieldError[];
}

/** The converted values, and what does not fit. Names that are no fields are ignored. */
export function checkValues({ fields }: Pick<Form, "fields">, sent: SentFields): CheckedValues {
  // Defaults prefill the form; what a visitor has emptied stays empty.
  const asked = fields.map((field): Field => ({ ...field, default: undefined }));
  const texts = Object.fromEntries(
    asked.map((field) => [field.name, readValue(field, sent)] as const),
  );
  const { values, errors } = checkFields(asked, texts);
  const isAsked = (field: Field): boolean => isConditionMet(field, values);
  const unticked = asked.filter(
    (field) =>
      field.kind.control === "checkbox" && field.required && isAsked(field) && !values[field.name],
  );
  const answered = asked.filter((field) => Object.hasOwn(values, field.name) && isAsked(field));
  return {
    values: Object.fromEntries(answered.map(({ name }) => [name, values[name]])),
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
function readValue({ name, kind }: Field, sent: SentFields): unknown {
  const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
  if (kind.control === "checkbox" && isEmpty(value)) return false;
  if (typeof value !== "string") return value;
  const text = value.replaceAll("\r\n", "\n");
  return kind.control === "textarea" ? text : text.trim();
}

/** Says what is wrong, by field: the first error of each. */
export function errorTexts(
  t: T,
  fields: readonly Field[],
  errors: readonly FieldError[],
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const error of errors) {
    const [top = ""] = error.field.split(".");
    const field = fields.find(({ name }) => name === top);
    if (!texts.has(top)) texts.set(top, errorText(t, field, error));
  }
  return texts;
}

/** A sentence about a value that does not fit, without the label. */
function errorText(t: T, field: Field | undefined, { issue, message }: FieldError): string {
  if (field === undefined) return message;
  const { control } = field.kind;
  const of = (key: string, fallback: string, limit: number | null = null): string =>
    t(`form.error.${key}`, fallback).replace("{n}", String(limit));
  switch (issue) {
    case "required":
      return control === "checkbox"
        ? of("checked", "Please tick this box.")
        : of("required", "This field is required.");
    case "min":
      return of(...bound("min", control), field.min);
    case "max":
      return of(...bound("max", control), field.max);
    case "option":
      return of("option", "Please choose one of the options.");
    default:
      return of(...formatOf(control));
  }
}

function bound(side: "min" | "max", control: string): [string, string] {
  const words = side === "min" ? "at least" : "at most";
  if (control === "number" || control === "range")
    return [`number_${side}`, `Please enter a number of ${words} {n}.`];
  if (control === "checkboxes") return [`list_${side}`, `Please choose ${words} {n} options.`];
  return [`text_${side}`, `Please enter ${words} {n} characters.`];
}

function formatOf(control: string): [string, string] {
  const texts: Readonly<Record<string, [string, string]>> = {
    email: ["email", "Please enter an email address such as name@example.org."],
    url: ["url", "Please enter a web address such as https://example.org."],
    number: ["number", "Please enter a number."],
    range: ["number", "Please enter a number."],
    date: ["date", "Please enter a date."],
    datetime: ["date", "Please enter a date."],
    time: ["time", "Please enter a time."],
  };
  const text = Object.hasOwn(texts, control) ? texts[control] : undefined;
  return text ?? ["format", "Please check this entry."];
}
