/** The mail about a submission. */
import type { Form } from "../definition/form.js";

type Values = Readonly<Record<string, unknown>>;
const MAX_SUBJECT = 200;

/** The subject with `{{field}}` replaced by its value; one line. */
export function mailSubject(form: Form, values: Values): string {
  const pattern = form.mail?.subject ?? "";
  const subject = pattern === "" ? form.title : pattern;
  const filled = subject.replaceAll(/\{\{\s*([\w-]{1,64})\s*\}\}/g, (_, name: string) =>
    Object.hasOwn(values, name) ? valueText(values[name]) : "",
  );
  return (
    filled
      .replaceAll(/\p{C}+/gu, " ")
      .trim()
      .slice(0, MAX_SUBJECT) || form.title
  );
}

/** The values with their labels, as text. */
export function mailText(form: Form, values: Values, about: readonly string[]): string {
  const lines = form.fields
    .filter(({ name }) => Object.hasOwn(values, name))
    .map(({ name, label, options }) => {
      const text = valueText(values[name], options);
      return text.includes("\n") ? `${label}:\n\n${text}\n` : `${label}: ${text}`;
    });
  return `${[...lines, "", "-- ", ...about].join("\n")}\n`;
}

/** A value as text; of choices their labels. */
export function valueText(
  value: unknown,
  options: readonly { value: string; label: string }[] = [],
): string {
  if (Array.isArray(value)) return value.map((one) => valueText(one, options)).join(", ");
  if (typeof value === "boolean") return value ? "✓" : "–";
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return options.find((option) => option.value === text)?.label ?? text;
}
