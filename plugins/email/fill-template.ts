import { escapeHtml } from "#kernel";
import type { EmailTemplate } from "./contract.js";
import { oneLine } from "./address.js";

const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9_]*)\s*\}\}/g;

/** Replaces `{{key}}` with values; keeps unknown keys. */
export function fillTemplate(
  template: EmailTemplate,
  values: Readonly<Record<string, string>>,
): EmailTemplate {
  return {
    subject: oneLine(fill(template.subject, values, (value) => value)),
    text: fill(template.text, values, (value) => value),
    html: fill(template.html, values, escapeHtml),
  };
}

function fill(
  text: string,
  values: Readonly<Record<string, string>>,
  escape: (value: string) => string,
): string {
  return text.replace(PLACEHOLDER, (whole, key: string) =>
    Object.hasOwn(values, key) ? escape(values[key] ?? "") : whole,
  );
}
