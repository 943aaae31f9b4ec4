import type { ContractMember } from "./contracts.js";
import type { DocComment } from "./doc-comment.js";
import { typesLine } from "./type-pages.js";

/** The example of a comment as a block of code; every entry of the reference needs one. */
export function exampleBlock(name: string, { text, example }: DocComment): string {
  if (example === null) throw new Error(`${name} lacks an @example in its doc comment`);
  if (text === "") throw new Error(`${name} lacks a description in its doc comment`);
  return `Example:\n\n\`\`\`ts\n${example}\n\`\`\``;
}

/**
 * Members as a block of code: what `describe` selects from a description, then the signature. Below it, links to
 * the types that they name.
 */
export function memberBlock(
  members: readonly ContractMember[],
  describe: (text: string) => string = (text) => text,
): string {
  if (members.length === 0) return "";
  const entries = members.map(({ signature, comment: { text } }) =>
    [...wrap(describe(text)).map((line) => `// ${line}`), signature].join("\n"),
  );
  const types = typesLine(members.flatMap(({ names }) => names));
  const block = `\`\`\`ts\n${entries.join("\n")}\n\`\`\``;
  return types === "" ? block : `${block}\n\n${types}`;
}

const COLUMNS = 76;

/** A text as lines. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").filter((part) => part !== "")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && longer.length <= COLUMNS) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** Parts of an entry, without those that are empty. */
export function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
