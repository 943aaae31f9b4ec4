/** The file with another text in a generated section; what people wrote around it stays. */
export function withSection(file: string, name: string, text: string): string {
  for (const [open, close, gap] of MARKS) {
    const opening = `${open}generated: ${name}${close}\n`;
    const closing = `${open}end: ${name}${close}`;
    const start = file.indexOf(opening);
    const end = file.indexOf(closing, start);
    if (start === -1 || end === -1) continue;
    const before = file.slice(0, start + opening.length);
    return `${before}${gap}${text.trimEnd()}\n${gap}${file.slice(end)}`;
  }
  throw new Error(`a page lacks <!-- generated: ${name} --> … <!-- end: ${name} -->`);
}

/** Comments of Markdown and of YAML below a key, and the empty line between them and the text. */
const MARKS = [
  ["<!-- ", " -->", "\n"],
  ["  # ", "", ""],
] as const;
