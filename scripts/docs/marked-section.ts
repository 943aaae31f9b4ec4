/** Replaces a generated section of a page; the rest stays. */
export function withSection(page: string, name: string, text: string): string {
  const { start, end } = placeOf(page, name);
  return `${page.slice(0, start)}\n${text.trim()}\n\n${page.slice(end)}`;
}

function placeOf(page: string, name: string): { start: number; end: number } {
  const opening = `<!-- generated: ${name} -->\n`;
  const closing = `<!-- end: ${name} -->`;
  const start = page.indexOf(opening);
  const end = page.indexOf(closing, start);
  if (start === -1 || end === -1) throw new Error(`a page lacks ${opening.trim()} … ${closing}`);
  return { start: start + opening.length, end };
}
