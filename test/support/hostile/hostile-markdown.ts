const rings = (open: string, close: string, count: number): string =>
  `${open.repeat(count)}a${close.repeat(count)}`;
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

/** Documents of about `size` characters that need quadratic time in known Markdown parsers. */
export function hostileMarkdown(size: number): Readonly<Record<string, string>> {
  const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length));
  const root = Math.floor(Math.sqrt(size));
  return {
    "nested strong emphasis": rings("*a **a ", "b** b*", Math.floor(size / 14)),
    "closers of emphasis": fill("a_ "),
    "openers of emphasis": fill("_a "),
    "mixed openers and closers": fill("*_"),
    "emphasis of three": fill("a***b**c* "),
    "closers of links": fill("a]"),
    "openers of links": fill("[a"),
    "openers of links and emphasis": fill("[ a_"),
    "images in images": fill("![[]()"),
    "links that do not end": fill("[a](<b"),
    "link targets that do not end": fill("[a](b"),
    "nested brackets": rings("[", "]", Math.floor(size / 2)),
    "nested quotes": `${fill("> ")}a`,
    "nested lists": lines(root, (index) => `${"  ".repeat(index)}* a`),
    "lists in one line": `${fill("- ")}a`,
    "numbered lists in one line": `${fill("1. ")}a`,
    "runs of backticks": lines(root, (index) => `e${"`".repeat(index)}`),
    "comments that do not end": `</${fill("<!--")}`,
    "instructions that do not end": fill("a <?"),
    "declarations that do not end": fill("a <!A "),
    "CDATA that does not end": fill("a <![CDATA["),
    "tags that do not end": fill("<a "),
    "nested elements": fill("<div>"),
    "elements to be adopted": fill("<a><b><p>"),
    "elements out of a table": fill("<table><b>"),
    "definitions and references": `${lines(Math.floor(size / 20), (index) => `[${index}]: u`)}\n\n${fill("[0] ").slice(0, size / 2)}`,
    footnotes: `[^a]: b\n\n${fill("[^a]")}`,
    "definition lists": fill("a\n: "),
    tables: fill("| a\n|-\n"),
    "wide table": `${"|".repeat(size / 2)}\n${"|-".repeat(size / 4)}`,
    "bare addresses": fill("www.a_"),
    "bare mail addresses": `${fill("a+")}@`,
    entities: fill("&#1;&"),
    NUL: fill("a\u0000"),
    escapes: fill("\\"),
    headings: fill("# "),
    "white space": `a${fill(" ")}b`,
  };
}
