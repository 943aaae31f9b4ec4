/** Submissions as CSV (RFC 4180), safe to open in a spreadsheet. */
import type { Submission } from "../contract.js";
import type { Form } from "../definition/form.js";
import { valueText } from "../receive/mail-text.js";

/** Spreadsheets run a cell that starts with one of these as a formula. */
const FORMULA = /^[\s\p{C}]*[=+\-@|%\t\r＝＋－＠]/u;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** One line per submission; the columns are the fields of the form, then those it had before. */
export function submissionsCsv(form: Form, submissions: readonly Submission[]): string {
  const declared = form.fields.map(({ name }) => name);
  const others = new Set(submissions.flatMap(({ values }) => Object.keys(values)));
  const names = [...declared, ...[...others].filter((name) => !declared.includes(name)).sort()];
  const head = ["id", "at", "lang", "page", "user", "spam", ...names];
  const rows = submissions.map(({ id, at, lang, page, user, spam, values }) => [
    ...[id, new Date(at).toISOString(), lang, page, user ?? "", String(spam)],
    ...names.map((name) => (Object.hasOwn(values, name) ? csvText(values[name]) : "")),
  ]);
  // The mark tells spreadsheets that the file is UTF-8.
  return `\uFEFF${[head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

function csvText(value: unknown): string {
  return typeof value === "boolean" ? String(value) : valueText(value);
}

function cell(text: string): string {
  const isFormula = FORMULA.test(text) && !NUMBER.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
