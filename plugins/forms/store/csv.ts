/** Submissions as CSV. */
import { formatCsv } from "#kernel/internal";
import type { Submission } from "../contract.js";
import type { Form } from "../definition/form.js";
import { valueText } from "../receive/mail-text.js";

/** One line per submission; the columns are the fields of the form, then those it had before. */
export function submissionsCsv(form: Form, submissions: readonly Submission[]): string {
  const declared = form.fields.map(({ name }) => name);
  const others = new Set(submissions.flatMap(({ values }) => Object.keys(values)));
  const names = [...declared, ...[...others].filter((name) => !declared.includes(name)).sort()];
  const head = ["id", "at", "lang", "page", "user", "spam", ...names];
  const rows = submissions.map(({ id, at, lang, page, user, spam, values }) => [
    id,
    new Date(at).toISOString(),
    lang,
    page,
    user ?? "",
    String(spam),
    ...names.map((name) => (Object.hasOwn(values, name) ? csvText(values[name]) : "")),
  ]);
  return formatCsv([head, ...rows]);
}

function csvText(value: unknown): string {
  return typeof value === "boolean" ? String(value) : valueText(value);
}
