/** The mistakes of a YAML text in plain words: one per cause, where the author looks for it. */
import type { ErrorCode, YAMLError } from "yaml";

/** A mistake in a YAML text, at its offsets. */
export interface YamlFault {
  /** What is wrong, without its position. */
  readonly message: string;
  /** What to do about it. */
  readonly fix: string;
  /** Start and end, in UTF-16 units. */
  readonly pos: readonly [start: number, end: number];
}

interface Words {
  readonly message: string;
  readonly fix: string;
}

/** Errors that leave the structure of a text clear: further ones have causes of their own. */
const APART: ReadonlySet<ErrorCode> = new Set([
  "DUPLICATE_KEY",
  "TAG_RESOLVE_FAILED",
  "MULTIPLE_DOCS",
]);

const NO_KEY: Words = {
  message: "the line has no colon, so it is neither a key nor the rest of a value",
  fix: "write it as `key: value`, or indent it to continue the value above",
};
const BESIDE: Words = {
  message: "the line is not indented like its neighbours",
  fix: "use the same indentation for all keys of a map, and for all items of a list",
};
const BELOW_VALUE: Words = {
  message: "the line is indented below a key that has a value already",
  fix: "indent it like that key, or remove the value of that key",
};
const COLON_IN_VALUE: Words = {
  message: "a value contains a colon and a space",
  fix: 'put the value in quotes: `key: "a: b"`',
};
const UNKNOWN: Words = {
  message: "the line does not continue what stands above it",
  fix: "correct the line: indentation, quotes, brackets and colons",
};

/** By the code of the package `yaml`; those that need the text are in `wordsOf`. */
const WORDS: Readonly<Partial<Record<ErrorCode, Words>>> = {
  DUPLICATE_KEY: {
    message: "the key stands in this map already",
    fix: "remove one of the two keys",
  },
  MULTILINE_IMPLICIT_KEY: NO_KEY,
  TAB_AS_INDENT: { message: "a tab indents the line", fix: "indent with spaces" },
  MULTIPLE_DOCS: {
    message: "a second document follows",
    fix: "keep one document in the file: remove the `---` in the middle",
  },
  MULTIPLE_ANCHORS: { message: "a value has two anchors", fix: "remove one of them" },
  MULTIPLE_TAGS: { message: "a value has two tags", fix: "remove the tags" },
};

/**
 * The mistakes behind the errors of the parser, in order. After a mistake in the structure the parser guesses,
 * so errors that follow from it are left out.
 */
export function yamlFaults(text: string, errors: readonly YAMLError[]): YamlFault[] {
  const structural = errors.find(({ code }) => !APART.has(code));
  return errors
    .filter((error) => error === structural || APART.has(error.code))
    .map((error) => mistakeOf(text, error, errors))
    .toSorted((a, b) => a.pos[0] - b.pos[0]);
}

function mistakeOf(text: string, error: YAMLError, errors: readonly YAMLError[]): YamlFault {
  const { code, pos } = error;
  if (code === "BLOCK_AS_IMPLICIT_KEY") {
    const lines = errors.find(
      (other) => other.code === "MULTILINE_IMPLICIT_KEY" && other.pos[0] === pos[0],
    );
    if (lines === undefined) return { ...COLON_IN_VALUE, pos };
    return { ...BELOW_VALUE, pos: lastLine(text, lines.pos) };
  }
  const [, closing = ""] = / and end with a ([\]}])/.exec(error.message) ?? [];
  if (closing !== "") return unclosed(text, pos, closing);
  return { ...wordsOf(text, error), pos: code === "BAD_INDENT" ? firstWord(text, pos) : pos };
}

/** The first word of the line of a position. */
function firstWord(text: string, [start]: YAMLError["pos"]): YAMLError["pos"] {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const at = from + (/^[ \t]*/.exec(text.slice(from))?.[0].length ?? 0);
  return [at, at + 1];
}

function wordsOf(text: string, { code, message, pos }: YAMLError): Words {
  const character = JSON.stringify(text.charAt(pos[0]));
  switch (code) {
    case "MISSING_CHAR":
      if (/closing .quote/.test(message)) {
        return { message: "a quote opens here and is never closed", fix: "close the quote" };
      }
      return message.startsWith("Implicit map keys") ? NO_KEY : UNKNOWN;
    case "BAD_INDENT":
      return BESIDE;
    case "BAD_SCALAR_START":
      return {
        message: `a value starts with ${character}, which YAML reserves`,
        fix: "put the value in quotes",
      };
    case "BAD_DQ_ESCAPE":
      return {
        message: "a text in double quotes has a backslash that is no escape",
        fix: "use single quotes, or write the backslash twice",
      };
    case "UNEXPECTED_TOKEN":
      return ["]", "}", ","].includes(text.charAt(pos[0]))
        ? {
            message: `${character} is not expected here`,
            fix: "remove it, or put the value in quotes",
          }
        : UNKNOWN;
    case "TAG_RESOLVE_FAILED":
      return {
        message: `the tag ${JSON.stringify(text.slice(...pos))} is not read`,
        fix: "remove the tag; only plain YAML values are read",
      };
    case "RESOURCE_EXHAUSTION":
      return { message, fix: "simplify the nesting, and keep data and content out of it" };
    default:
      return WORDS[code] ?? UNKNOWN;
  }
}

/** The first word of the last line of a range. */
function lastLine(text: string, [start, end]: YAMLError["pos"]): YAMLError["pos"] {
  const last = start + text.slice(start, end).trimEnd().length - 1;
  return firstWord(text, [last, end]);
}

/** A bracket that is never closed: where it opens, or on its own line where it should close. */
function unclosed(text: string, pos: YAMLError["pos"], closing: string): YamlFault {
  const [end] = pos;
  const opening = closing === "]" ? "[" : "{";
  let depth = 0;
  let at = end - 1;
  for (; at > 0; at -= 1) {
    const character = text.charAt(at);
    if (character === closing) depth += 1;
    else if (character === opening && depth === 0) break;
    else if (character === opening) depth -= 1;
  }
  return {
    message: `a ${JSON.stringify(opening)} is never closed`,
    fix: `write the missing ${JSON.stringify(closing)}`,
    pos: text.slice(at, end).includes("\n") ? [at, at + 1] : pos,
  };
}
