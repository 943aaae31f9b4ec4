import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorTables } from "./errors.js";
import { errorMessages, type ErrorMessage } from "./error-messages.js";
import { code } from "./table.js";

const FOLDER = "content/04.extend/09.errors";

/** A page per error code: path below the repository to text. */
export async function errorPages(root: string): Promise<ReadonlyMap<string, string>> {
  const messages = errorMessages(root);
  const pages = new Map<string, string>();
  for (const [area, errors] of await errorTables(root)) {
    for (const [name, text] of Object.entries(errors)) {
      const page = { name, area, text, messages: messages.get(name) ?? [] };
      pages.set(`${FOLDER}/${name}.md`, errorPage(page));
    }
  }
  return pages;
}

/** Pages of deleted codes. */
export function outlivedPages(root: string, pages: ReadonlyMap<string, string>): string[] {
  return readdirSync(join(root, FOLDER))
    .filter((file) => file.startsWith("ERR_"))
    .map((file) => `${FOLDER}/${file}`)
    .filter((path) => !pages.has(path));
}

interface ErrorPage {
  name: string;
  area: string;
  text: string;
  messages: readonly ErrorMessage[];
}

function errorPage({ name, area, text, messages }: ErrorPage): string {
  const { meaning, remedy } = partsOf(text);
  const parts = [
    `---\ntitle: ${name}\nsummary: ${JSON.stringify(meaning)}\ntemplate: docs\nvisible: false\n---`,
    meaning,
    ...(remedy === null ? [] : ["## What to do", remedy]),
    "## When it comes",
    `From ${area === "kernel" ? "the kernel" : `the plugin ${code(area)}`}${messages.length === 0 ? "." : ", which says:"}`,
    ...(messages.length === 0 ? [] : [messages.map(toItem).join("\n")]),
    `On the terminal, ${code(`site errors:explain ${name}`)} says what it means. [All codes](/extend/errors)`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/**
 * Meaning and fix of a code: one sentence, with a colon or semicolon between them that is not part of
 * code.
 */
export function partsOf(text: string): { meaning: string; remedy: string | null } {
  const [, meaning = text, remedy] = /^((?:[^`]|`[^`]*`)*?)[:;] (.+)$/s.exec(text) ?? [];
  return { meaning: sentence(meaning), remedy: remedy === undefined ? null : sentence(remedy) };
}

function sentence(text: string): string {
  const closed = /[.!?]$/.test(text) ? text : `${text}.`;
  return closed.startsWith("`") ? closed : closed.charAt(0).toUpperCase() + closed.slice(1);
}

function toItem({ message, fix }: ErrorMessage): string {
  return `- ${code(message)}${fix === null ? "" : `: ${escaped(fix)}`}`;
}

/** Plain text escaped for Markdown. */
function escaped(text: string): string {
  return text.replace(/[\\*_[\]<>]/g, "\\$&");
}
