/** The first line of a code block: three marks or more, and what follows them. */

/** The language on the line of a fence, as written; empty without one. */
export function languageOf(fence: string): string {
  return parse(fence).name;
}

/** What follows the language on the line of a fence: a title, marked lines. */
export function restOf(fence: string): string {
  const { end } = parse(fence);
  return fence.slice(end).trim();
}

/** The change of a fence's line that gives it another language, an empty one for none; null when it has it. */
export function languageChange(
  fence: string,
  name: string,
): { from: number; to: number; insert: string } | null {
  const { start, end, name: old, isAttribute } = parse(fence);
  if (old === name) return null;
  // `{.python}`: the class is the language.
  if (isAttribute && name !== "") return { from: start, to: end, insert: name };
  if (isAttribute) return { from: start - 1, to: end, insert: "" };
  const isGlued = old === "" && /^[^\s]/.test(fence.slice(start));
  return { from: start, to: end, insert: isGlued && name !== "" ? `${name} ` : name };
}

interface Fence {
  /** Where the name stands in the line. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** True for attributes of Pandoc. */
  readonly isAttribute: boolean;
}

function parse(fence: string): Fence {
  const open = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)*(?:`{3,}|~{3,})[ \t]*/.exec(fence)?.[0] ?? "";
  const rest = fence.slice(open.length);
  const attributes = /^(\{\s*(?:[^\s{}.][^\s{}]*\s+)*\.)([^\s{}]+)[^{}]*\}/.exec(rest);
  if (attributes !== null) {
    const [, before = "", name = ""] = attributes;
    const start = open.length + before.length;
    return { start, end: start + name.length, name, isAttribute: true };
  }
  const name = /^[^\s{[:=]*/.exec(rest)?.[0] ?? "";
  return { start: open.length, end: open.length + name.length, name, isAttribute: false };
}
