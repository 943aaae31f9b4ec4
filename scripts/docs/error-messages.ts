import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";

/** How an error says itself: the message, and the fix that comes with it. */
export interface Saying {
  /** What is only known when it happens is `…`. */
  message: string;
  fix: string | null;
}

const TEXT = /^(?:`((?:[^`\\]|\\.)*)`|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/;
const CODE = /"(ERR_[A-Z0-9_]+)",\s*(?:\{\s*message:\s*)?/g;
/** How far behind the code its fix stands at most, in characters. */
const REACH = 600;

/** What the sources say with each code, in the order of the files; what is put together elsewhere is not in it. */
export function sayingsOf(root: string): ReadonlyMap<string, readonly Saying[]> {
  const sayings = new Map<string, Saying[]>();
  const files = globSync(["{kernel,plugins}/**/*.{ts,tsx}"], { cwd: root }).sort();
  for (const file of files) {
    for (const [code, saying] of sayingsIn(readFileSync(`${root}/${file}`, "utf8"))) {
      const known = sayings.get(code) ?? [];
      if (!known.some(({ message }) => message === saying.message)) known.push(saying);
      sayings.set(code, known);
    }
  }
  return sayings;
}

/** Codes with what is said beside them, out of a source. */
export function sayingsIn(source: string): (readonly [code: string, saying: Saying])[] {
  return [...source.matchAll(CODE)].flatMap(({ 0: found, 1: code = "", index }) => {
    const rest = source.slice(index + found.length, index + found.length + REACH);
    const message = textAt(rest);
    if (message === null || /^(?:…|ERR_[A-Z0-9_]+)?$/.test(message)) return [];
    return [[code, { message, fix: fixIn(rest.split(/;\n|"ERR_/)[0] ?? "") }] as const];
  });
}

/** `fix: "…"`, or `const fix` before a call is too far away to be told. */
function fixIn(call: string): string | null {
  const at = call.search(/\bfix: ["'`]/);
  return at === -1 ? null : textAt(call.slice(at + "fix: ".length));
}

/** The text that a source begins with; null when it is none, or one with texts inside its values. */
function textAt(source: string): string | null {
  const match = TEXT.exec(source);
  if (match === null) return null;
  const text = (match[1] ?? match[2] ?? match[3] ?? "").replace(/\\(["'`])/g, "$1");
  const told = match[1] === undefined ? text : withoutValues(text);
  return /\$\{|\\/.test(told) ? null : told.replace(/\s+/g, " ").trim();
}

function withoutValues(template: string): string {
  return template.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "…");
}
