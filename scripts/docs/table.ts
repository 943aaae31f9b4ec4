/** A Markdown table; a line break in a cell would end it, a bar would split it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows.map((row) => row.map(toCell))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Text as inline code; in a table only a bar must be escaped. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function toCell(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}
