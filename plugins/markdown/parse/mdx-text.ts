import { plainText, type PlainTextOptions } from "./plain-text.js";

/** The text of MDX: like Markdown, without imports, exports and expressions. */
export function mdxText(source: string, options: PlainTextOptions = {}): string {
  return plainText(withoutExpressions(withoutModuleLines(source)), options);
}

// `import …` and `export …` extend to the next blank line.
function withoutModuleLines(source: string): string {
  let isModule = false;
  const lines: string[] = [];
  for (const line of source.split(/\r\n|\n|\r/)) {
    if (line.trim() === "") isModule = false;
    else if (/^(?:import|export)[ {*]/.test(line)) isModule = true;
    if (!isModule) lines.push(line);
  }
  return lines.join("\n");
}

function withoutExpressions(source: string): string {
  let depth = 0;
  let text = "";
  let from = 0;
  for (const match of source.matchAll(/[{}]/g)) {
    if (match[0] === "{") {
      if (depth === 0) text += source.slice(from, match.index);
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      if (depth === 0) from = match.index + 1;
    }
  }
  return depth === 0 ? text + source.slice(from) : text;
}
