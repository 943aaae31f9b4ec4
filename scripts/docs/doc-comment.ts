/** The parts of a doc comment. */
export interface DocComment {
  /** On one line, with what `@throws` says; empty without a comment. */
  text: string;
  /** Code of `@example`, as written. */
  example: string | null;
}

/** Splits a comment of the form `/** … *\/` into its parts; `@example` is the last one. */
export function parseComment(comment: string): DocComment {
  const inner = comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .replace(/^[ \t]*\*[ ]?/gm, "")
    .trim();
  const [description = "", example] = inner.split(/(?:^|\n)@example\n/);
  const text = description
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\.? ?@throws /, (_, at: number) => `${at === 0 ? "" : ". "}Throws `)
    .replace(/([^.])$/, "$1.");
  return { text, example: example?.trimEnd() ?? null };
}

/** Up to the first full stop outside of code. */
export function firstSentence(text: string): string {
  return /^(?:`[^`]*`|[^`])*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}
