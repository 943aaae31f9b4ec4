import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";

/** The message of an error, and its fix. */
export interface ErrorMessage {
  /** Values known only at run time are `…`. */
  message: string;
  fix: string | null;
}

const TEXT = /^(?:`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/;
const CODE = /"(ERR_[A-Z0-9_]+)",\s*(?:\{\s*message:\s*)?/g;
/** Maximum distance between a code and its fix, in characters. */
const REACH = 600;

/** The messages of each code in the sources, in the order of the files; composed messages are skipped. */
export function errorMessages(root: string): ReadonlyMap<string, readonly ErrorMessage[]> {
  const messages = new Map<string, ErrorMessage[]>();
  const files = globSync(["{kernel,lib,plugins}/**/*.{ts,tsx}"], { cwd: root }).sort();
  for (const file of files) {
    for (const [code, entry] of errorMessagesIn(readFileSync(`${root}/${file}`, "utf8"))) {
      const known = messages.get(code) ?? [];
      if (!known.some(({ message }) => message === entry.message)) known.push(entry);
      messages.set(code, known);
    }
  }
  return messages;
}

/** Codes of a source with their messages. */
export function errorMessagesIn(source: string): (readonly [code: string, entry: ErrorMessage])[] {
  return [...source.matchAll(CODE)].flatMap(({ 0: found, 1: code = "", index }) => {
    const rest = source.slice(index + found.length, index + found.length + REACH);
    const message = textAt(rest);
    if (message === null || /^(?:…|ERR_[A-Z0-9_]+)?$/.test(message)) return [];
    return [[code, { message, fix: fixIn(rest.split(/;\n|"ERR_/)[0] ?? "") }] as const];
  });
}

/** `fix: "…"`; a `const fix` before the call is not found. */
function fixIn(call: string): string | null {
  const at = call.search(/\bfix: ["'`]/);
  return at === -1 ? null : textAt(call.slice(at + "fix: ".length));
}

/** The string literal at the start of a source; null for anything else, or for nested templates. */
function textAt(source: string): string | null {
  const match = TEXT.exec(source);
  if (match === null) return null;
  const text = (match[1] ?? match[2] ?? match[3] ?? "").replace(/\\(["'`])/g, "$1");
  const plain = match[1] === undefined ? text : withoutValues(text);
  return /\$\{|\\/.test(plain) ? null : plain.replace(/\s+/g, " ").trim();
}

function withoutValues(template: string): string {
  return template.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…").replace(/…+/g, "…");
}
