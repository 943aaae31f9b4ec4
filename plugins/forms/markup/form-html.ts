/** The HTML of a form: it works without scripts and styles. */
import { escapeHtml, type Field } from "#kernel";
import type { Text } from "../contract.js";
import type { Form } from "../definition/form.js";
import { fieldHtml, fieldId } from "./field-html.js";

/** A form as it is shown. */
export interface ShownForm {
  readonly form: Pick<Form, "name" | "fields" | "submit">;
  readonly t: Text;
  /** What was typed; absent: the defaults of the fields. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** What is wrong, by field. */
  readonly errors?: ReadonlyMap<string, string>;
  /** What is wrong with the form as a whole; empty: nothing. */
  readonly message?: string;
  /** Where the form is sent. */
  readonly action: string;
  /** The hidden fields of the guard. */
  readonly hidden: string;
}

/** The form with its values and errors. Every value is escaped. */
export function formHtml(shown: ShownForm): string {
  const { form, t, action, hidden } = shown;
  const id = `form-${form.name}`;
  const submit = form.submit === "" ? t("form.submit", "Send") : form.submit;
  return [
    `<form class="form" id="${id}" data-form="${form.name}" method="post" action="${escapeHtml(action)}">`,
    summary(shown),
    ...groupsOf(form.fields).map((fields) => groupHtml(shown, fields)),
    hidden,
    `<p class="form-actions"><button type="submit" class="button primary">${escapeHtml(submit)}</button></p>`,
    "</form>",
  ].join("");
}

/** The same HTML with the first form of this name replaced; null when it has none. */
export function withForm(html: string, name: string, replacement: string): string | null {
  const start = html.search(new RegExp(`<form\\b[^>]*\\bdata-form="${name}"`));
  const end = start === -1 ? -1 : html.indexOf("</form>", start);
  if (end === -1) return null;
  return html.slice(0, start) + replacement + html.slice(end + "</form>".length);
}

/** What is wrong, with links to the fields. */
function summary({ form, t, errors = new Map<string, string>(), message = "" }: ShownForm): string {
  if (errors.size === 0 && message === "") return "";
  const lead = message === "" ? t("form.check", "Please check these entries:") : message;
  const items = form.fields.flatMap(({ name, label }) => {
    const error = errors.get(name);
    if (error === undefined) return [];
    const target = fieldId(`form-${form.name}`, name);
    return `<li><a href="#${target}">${escapeHtml(label)}</a>: ${escapeHtml(error)}</li>`;
  });
  const list = items.length === 0 ? "" : `<ul>${items.join("")}</ul>`;
  return `<div class="form-summary notice is-error" role="alert" tabindex="-1" autofocus><p>${escapeHtml(lead)}</p>${list}</div>`;
}

function groupsOf(fields: readonly Field[]): Field[][] {
  const groups: Field[][] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last?.[0]?.group === field.group) last.push(field);
    else groups.push([field]);
  }
  return groups;
}

function groupHtml(shown: ShownForm, fields: readonly Field[]): string {
  const { form, t, values, errors } = shown;
  const html = fields.map((field) =>
    fieldHtml({
      field,
      t,
      prefix: `form-${form.name}`,
      value: values === undefined ? field.default : values[field.name],
      error: errors?.get(field.name) ?? null,
    }),
  );
  const group = fields[0]?.group ?? "";
  if (group === "") return html.join("");
  return `<fieldset class="form-group"><legend>${escapeHtml(group)}</legend>${html.join("")}</fieldset>`;
}
