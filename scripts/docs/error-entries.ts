import { errorMessages, type ErrorMessage } from "./error-messages.js";
import { errorTables } from "./errors.js";
import { code } from "./table.js";

const PAGE = "/extend/errors";

/** Every error code with cause, fix and messages, by area; each has an anchor. */
export async function errorEntries(root: string): Promise<string> {
  const messages = errorMessages(root);
  const areas = (await errorTables(root)).map(([area, errors]) => {
    const entries = Object.entries(errors).map(([name, text]) =>
      errorEntry(name, text, messages.get(name) ?? []),
    );
    return `## ${area === "kernel" ? "Kernel" : `Plugin ${code(area)}`}\n\n${entries.join("\n\n")}`;
  });
  return areas.join("\n\n");
}

/** Redirects from the addresses of a former page per code, as lines of `redirects:` in site.yaml. */
export async function errorRedirects(root: string): Promise<string> {
  return (await errorTables(root))
    .flatMap(([, errors]) => Object.keys(errors))
    .map((name) => `  ${PAGE}/${name}: ${PAGE}#${name.toLowerCase()}`)
    .join("\n");
}

function errorEntry(name: string, text: string, messages: readonly ErrorMessage[]): string {
  const { cause, fix } = partsOf(text);
  const parts = [`### ${name}`, fix === null ? cause : `${cause} **Fix:** ${fix}`];
  if (messages.length > 0) parts.push(messages.map(toItem).join("\n"));
  return parts.join("\n\n");
}

/** Says more about the cause: no fix. */
const EXPLANATION = /^(?:the|it is|each|logged)\b/i;

/** A table says cause and fix in one sentence, with a colon or semicolon between them outside of code. */
export function partsOf(text: string): { cause: string; fix: string | null } {
  const [, cause = text, fix] = /^((?:[^`]|`[^`]*`)*?)[:;] (.+)$/s.exec(text) ?? [];
  if (fix === undefined || EXPLANATION.test(fix)) return { cause: sentence(text), fix: null };
  return { cause: sentence(cause), fix: sentence(fix) };
}

function sentence(text: string): string {
  const closed = /[.!?]$/.test(text) ? text : `${text}.`;
  return closed.startsWith("`") ? closed : closed.charAt(0).toUpperCase() + closed.slice(1);
}

function toItem({ message, fix }: ErrorMessage): string {
  return `- ${code(message)}${fix === null ? "" : `: ${escaped(fix)}`}`;
}

/** Text of a terminal as Markdown. */
function escaped(text: string): string {
  return text.replace(/[\\*_[\]<>]/g, "\\$&");
}
