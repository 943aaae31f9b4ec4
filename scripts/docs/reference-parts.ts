import type { ContractMember } from "./contracts.js";
import type { DocComment } from "./doc-comment.js";
import { code } from "./table.js";

/** The example of a comment as a block of code; every entry of the reference needs one. */
export function exampleBlock(name: string, { text, example }: DocComment): string {
  if (example === null) throw new Error(`${name} lacks an @example in its doc comment`);
  if (text === "") throw new Error(`${name} lacks a description in its doc comment`);
  return `\`\`\`ts\n${example}\n\`\`\``;
}

/** A list of members: signature, and what `describe` selects from its description. */
export function memberList(
  members: readonly ContractMember[],
  describe: (text: string) => string = (text) => text,
): string {
  return members
    .map(({ signature, comment: { text } }) => {
      const description = text === "" ? "" : `: ${describe(text)}`;
      return `- ${code(signature)}${description}`;
    })
    .join("\n");
}
