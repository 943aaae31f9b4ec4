/** The HTML of one field of a form. */
import { escapeHtml, type Field } from "#kernel";
import type { Text } from "../contract.js";

/** A field as it is shown. */
export interface ShownField {
  readonly field: Field;
  readonly value: unknown;
  /** What is wrong with the value; null: nothing. */
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
export function fieldId(prefix: string, name: string): string {
  return `${prefix}-${name}`;
}

/** Label, help, control and error of a field. */
export function fieldHtml(shown: ShownField): string {
  const { field, error } = shown;
  const classes = error === null ? "form-field" : "form-field has-error";
  const { control } = field.kind;
  if (control === "radio" || control === "checkboxes") {
    const about = describedBy(shown);
    return `<fieldset class="${classes}" id="${idOf(shown)}" tabindex="-1"${about}><legend>${labelOf(shown)}</legend>${helpOf(shown)}${choices(shown)}${errorOf(shown)}</fieldset>`;
  }
  if (control === "checkbox") {
    return `<div class="${classes} is-check">${input(shown)}<label for="${idOf(shown)}">${labelOf(shown)}</label>${helpOf(shown)}${errorOf(shown)}</div>`;
  }
  return `<div class="${classes}"><label for="${idOf(shown)}">${labelOf(shown)}</label>${helpOf(shown)}${input(shown)}${errorOf(shown)}</div>`;
}

function idOf({ prefix, field }: ShownField): string {
  return fieldId(prefix, field.name);
}

function labelOf({ field, t }: ShownField): string {
  const label = escapeHtml(field.label);
  if (field.required) return label;
  return `${label} <span class="dim">${escapeHtml(t("form.optional", "(optional)"))}</span>`;
}

function helpOf(shown: ShownField): string {
  const { help } = shown.field;
  return help === "" ? "" : `<p class="form-help" id="${idOf(shown)}-help">${escapeHtml(help)}</p>`;
}

function errorOf(shown: ShownField): string {
  return shown.error === null
    ? ""
    : `<p class="form-error" id="${idOf(shown)}-error">${escapeHtml(shown.error)}</p>`;
}

function describedBy(shown: ShownField): string {
  const ids = [
    ...(shown.field.help === "" ? [] : [`${idOf(shown)}-help`]),
    ...(shown.error === null ? [] : [`${idOf(shown)}-error`]),
  ];
  return ids.length === 0 ? "" : ` aria-describedby="${ids.join(" ")}"`;
}

/** Attributes that every control has. A field with a condition may be left out, so it is never required. */
function common(shown: ShownField): string {
  const { field, error } = shown;
  const isRequired = field.required && field.when === null;
  return ` id="${idOf(shown)}" name="${escapeHtml(field.name)}"${isRequired ? " required" : ""}${error === null ? "" : ' aria-invalid="true"'}${describedBy(shown)}`;
}

function input(shown: ShownField): string {
  const { field, value } = shown;
  const { control } = field.kind;
  if (control === "textarea") {
    return `<textarea${common(shown)} rows="6"${lengths(field)}>${escapeHtml(textOf(value))}</textarea>`;
  }
  if (control === "select") return select(shown);
  if (control === "checkbox") {
    return `<input type="checkbox"${common(shown)} value="true"${value === true || value === "true" ? " checked" : ""}>`;
  }
  const type = TYPES.get(control) ?? "text";
  const auto = AUTOCOMPLETE.get(control === "email" ? "email" : field.name.toLowerCase());
  const limits = type === "number" ? numberLimits(field) : lengths(field);
  return `<input type="${type}"${common(shown)}${limits}${auto === undefined ? "" : ` autocomplete="${auto}"`} value="${escapeHtml(textOf(value))}">`;
}

function select(shown: ShownField): string {
  const { field, value, t } = shown;
  const options = field.options.map((option) => {
    const chosen = option.value === textOf(value) ? " selected" : "";
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
    const id = `${idOf(shown)}-${at}`;
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

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
