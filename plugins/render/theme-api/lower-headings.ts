const HEADING = /<(\/?)h([1-6])(?=[\s>])/g;

/**
 * Lowers the headings of trusted HTML, all by the same number of levels, so that the highest one is
 * at least `level`. Use it for text below a heading of your own.
 *
 * @example
 * lowerHeadings("<h1>Prices</h1><h2>Boats</h2>", 2); // <h2>Prices</h2><h3>Boats</h3>
 */
export function lowerHeadings(html: string, level: number): string {
  const highest = Math.min(...[...html.matchAll(HEADING)].map((match) => Number(match[2])));
  const by = level - highest;
  if (by <= 0 || highest === Infinity) return html;
  return html.replace(
    HEADING,
    (_, slash: string, own) => `<${slash}h${Math.min(6, Number(own) + by)}`,
  );
}
