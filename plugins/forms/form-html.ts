/** The HTML of a form: it works without scripts and styles. */
import { escapeHtml, type Field, type SiteContext, SiteError, type FieldKinds } from "#kernel";
import { readFields, formatFieldProblem } from "#lib/fields";
import type { TemplateProps } from "../render/contract.js";
import type { Text, FormDefinition, PluginForm } from "./contract.js";
import type { Form } from "./form.js";
import { checkValues, errorTexts } from "./check-values.js";

/** A form as it is shown. */
interface ShownForm {
  readonly form: Pick<Form, "name" | "fields" | "submit">;
  readonly t: Text;
  /** The typed values; absent: the defaults of the fields. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Says what is wrong, by field. */
  readonly errors?: ReadonlyMap<string, string>;
  /** Says what is wrong with the form as a whole; empty: nothing. */
  readonly message?: string;
  /** The address that the form is sent to. */
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
    ...groupFields(form.fields).map((fields) => groupHtml(shown, fields)),
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

/** Says what is wrong, with links to the fields. */
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

function groupFields(fields: readonly Field[]): Field[][] {
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

/** A field as it is shown. */
interface ShownField {
  readonly field: Field;
  readonly value: unknown;
  /** Says what is wrong with the value; null: nothing. */
  readonly error: string | null;
  /** Start of the ids: unique for the form. */
  readonly prefix: string;
  readonly t: Text;
}

const AUTOCOMPLETE = new Map([
  ["name", "name"],
  ["email", "email"],
  ["phone", "tel"],
  ["tel", "tel"],
  ["organization", "organization"],
  ["company", "organization"],
]);
const TYPES = new Map([
  ["email", "email"],
  ["url", "url"],
  ["number", "number"],
  ["range", "number"],
  ["date", "date"],
  ["datetime", "datetime-local"],
  ["time", "time"],
  ["color", "color"],
]);

/** Id of the control of a field. */
function fieldId(prefix: string, name: string): string {
  return `${prefix}-${name}`;
}

/** Label, help, control and error of a field. */
function fieldHtml(shown: ShownField): string {
  const { field, error } = shown;
  const classes = error === null ? "form-field" : "form-field has-error";
  const { control } = field.kind;
  if (control === "radio" || control === "checkboxes") {
    const about = describedBy(shown);
    return `<fieldset class="${classes}" id="${toId(shown)}" tabindex="-1"${about}><legend>${renderLabel(shown)}</legend>${renderHelp(shown)}${choices(shown)}${renderError(shown)}</fieldset>`;
  }
  if (control === "checkbox") {
    return `<div class="${classes} is-check">${input(shown)}<label for="${toId(shown)}">${renderLabel(shown)}</label>${renderHelp(shown)}${renderError(shown)}</div>`;
  }
  return `<div class="${classes}"><label for="${toId(shown)}">${renderLabel(shown)}</label>${renderHelp(shown)}${input(shown)}${renderError(shown)}</div>`;
}

function toId({ prefix, field }: ShownField): string {
  return fieldId(prefix, field.name);
}

function renderLabel({ field, t }: ShownField): string {
  const label = escapeHtml(field.label);
  if (field.required) return label;
  return `${label} <span class="dim">${escapeHtml(t("form.optional", "(optional)"))}</span>`;
}

function renderHelp(shown: ShownField): string {
  const { help } = shown.field;
  return help === "" ? "" : `<p class="form-help" id="${toId(shown)}-help">${escapeHtml(help)}</p>`;
}

function renderError(shown: ShownField): string {
  return shown.error === null
    ? ""
    : `<p class="form-error" id="${toId(shown)}-error">${escapeHtml(shown.error)}</p>`;
}

function describedBy(shown: ShownField): string {
  const ids = [
    ...(shown.field.help === "" ? [] : [`${toId(shown)}-help`]),
    ...(shown.error === null ? [] : [`${toId(shown)}-error`]),
  ];
  return ids.length === 0 ? "" : ` aria-describedby="${ids.join(" ")}"`;
}

/** Attributes that every control has. A field with a condition may be left out, so it is never required. */
function common(shown: ShownField): string {
  const { field, error } = shown;
  const isRequired = field.required && field.when === null;
  return ` id="${toId(shown)}" name="${escapeHtml(field.name)}"${isRequired ? " required" : ""}${error === null ? "" : ' aria-invalid="true"'}${describedBy(shown)}`;
}

function input(shown: ShownField): string {
  const { field, value } = shown;
  const { control } = field.kind;
  if (control === "textarea") {
    return `<textarea${common(shown)} rows="6"${lengths(field)}>${escapeHtml(toText(value))}</textarea>`;
  }
  if (control === "select") return select(shown);
  if (control === "checkbox") {
    return `<input type="checkbox"${common(shown)} value="true"${value === true || value === "true" ? " checked" : ""}>`;
  }
  const type = TYPES.get(control) ?? "text";
  const auto = AUTOCOMPLETE.get(control === "email" ? "email" : field.name.toLowerCase());
  const limits = type === "number" ? numberLimits(field) : lengths(field);
  return `<input type="${type}"${common(shown)}${limits}${auto === undefined ? "" : ` autocomplete="${auto}"`} value="${escapeHtml(toText(value))}">`;
}

function select(shown: ShownField): string {
  const { field, value, t } = shown;
  const options = field.options.map((option) => {
    const chosen = option.value === toText(value) ? " selected" : "";
    return `<option value="${escapeHtml(option.value)}"${chosen}>${escapeHtml(option.label)}</option>`;
  });
  const none = `<option value="">${escapeHtml(t("form.choose", "Please choose"))}</option>`;
  return `<select${common(shown)}>${none}${options.join("")}</select>`;
}

function choices(shown: ShownField): string {
  const { field, value } = shown;
  const type = field.kind.control === "radio" ? "radio" : "checkbox";
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value];
  const required = type === "radio" && field.required && field.when === null ? " required" : "";
  const items = field.options.map((option, at) => {
    const id = `${toId(shown)}-${at}`;
    const isChosen = chosen.includes(option.value) ? " checked" : "";
    return `<div class="form-choice"><input type="${type}" id="${id}" name="${escapeHtml(field.name)}" value="${escapeHtml(option.value)}"${required}${isChosen}><label for="${id}">${escapeHtml(option.label)}</label></div>`;
  });
  return items.join("");
}

function lengths({ min, max, kind }: Field): string {
  if (TYPES.has(kind.control) && kind.control !== "email" && kind.control !== "url") return "";
  return `${min === null ? "" : ` minlength="${min}"`}${max === null ? "" : ` maxlength="${max}"`}`;
}

function numberLimits({ min, max }: Field): string {
  return ` step="any"${min === null ? "" : ` min="${min}"`}${max === null ? "" : ` max="${max}"`}`;
}

function toText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Texts of forms in the languages of visitors, from the theme. */
export class FormTexts {
  readonly #site: SiteContext;

  constructor(site: SiteContext) {
    this.#site = site;
  }

  /** The texts in a language; English ones without a theme. */
  of(lang: string): TemplateProps["t"] {
    const render = this.#site.use("render", { optional: true });
    return render?.texts(lang) ?? ((key, fallback) => fallback ?? key);
  }

  /** The language of a page by its path. */
  findLanguage(page: string): string {
    const { addresses, languages } = this.#site.use("content");
    return (page === "" ? null : addresses.parse(page).lang) ?? languages.main;
  }
}

/** A form of another plugin. @throws ERR_FORMS_DEFINITION for invalid fields. */
export function pluginForm(
  name: string,
  { fields: definitions, submit }: FormDefinition,
  kinds: FieldKinds,
): PluginForm {
  const { fields, problems } = readFields(definitions, kinds);
  const [problem] = problems;
  if (problem !== undefined) {
    const message = `form ${name}: ${formatFieldProblem(problem)}`;
    throw new SiteError("ERR_FORMS_DEFINITION", message, { fix: "correct the field" });
  }
  return {
    html: (state) => formHtml({ form: { name, fields, submit }, ...state }),
    check: (sent, t) => {
      const { values, errors } = checkValues({ fields }, sent);
      return { values, errors: errorTexts(t, fields, errors) };
    },
  };
}
