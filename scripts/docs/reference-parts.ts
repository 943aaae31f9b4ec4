import type { ContractMember } from "./contracts.js";
import type { DocComment } from "./doc-comment.js";

/** The example of a comment as a block of code; every entry of the reference needs one. */
export function exampleBlock(name: string, { text, example }: DocComment): string {
  if (example === null) throw new Error(`${name} lacks an @example in its doc comment`);
  if (text === "") throw new Error(`${name} lacks a description in its doc comment`);
  return `Example:\n\n\`\`\`ts\n${example}\n\`\`\``;
}

/** Members as a block of code: what `describe` selects from a description, then the signature. */
export function memberBlock(
  members: readonly ContractMember[],
  describe: (text: string) => string = (text) => text,
): string {
  if (members.length === 0) return "";
  const entries = members.map(({ signature, comment: { text } }) =>
    [...wrap(describe(text)).map((line) => `// ${line}`), signature].join("\n"),
  );
  return `\`\`\`ts\n${entries.join("\n")}\n\`\`\``;
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
