/** Front matter of a `tsx` page: `export const frontmatter = { … }`, read without running the file. */
import type { FrontMatter } from "./front-matter.js";
import { parseYamlMap } from "./full-yaml.js";

const OPENING = /^export\s+const\s+frontmatter\b[^={]*=\s*\{/m;
const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`$\\]*`|[{}[\]]/g;

/** The literal's value, numbers as JavaScript has them; `{}` when the file does not export it, an issue when it is not a plain literal. */
export function readLiteralFrontMatter(source: string): FrontMatter {
  const match = OPENING.exec(source);
  if (match === null) return { data: {}, texts: null, bodyOffset: 0, warnings: [] };
  const start = match.index + match[0].length - 1;
  const line = source.slice(0, start).split("\n").length;
  const literal = toFlowMap(source, start);
  const result = literal === null ? null : parseYamlMap(literal);
  if (result !== null && "data" in result)
    return { data: result.data, texts: null, bodyOffset: 0, warnings: [] };
  const message =
    "`export const frontmatter` must be an object literal of texts, numbers, booleans, lists and objects";
  return { issue: { code: "ERR_CONTENT_FRONT_MATTER", message, line } };
}

/** The literal as a YAML flow map: without comments, strings as JSON. Null when it is not closed. */
function toFlowMap(source: string, start: number): string | null {
  const literal = source.slice(start);
  let text = "";
  let depth = 0;
  let last = 0;
  for (const match of literal.matchAll(token)) {
    // YAML reads `a:"b"` as one word.
    text += literal.slice(last, match.index).replaceAll(":", ": ") + toFlowToken(match[0]);
    last = match.index + match[0].length;
    if (match[0] === "{" || match[0] === "[") depth += 1;
    if (match[0] === "}" || match[0] === "]") depth -= 1;
    if (depth === 0) return text;
  }
  return null;
}

function toFlowToken(found: string): string {
  const first = found.charAt(0);
  if (first === "/") return " ";
  if (first === "`") return JSON.stringify(found.slice(1, -1));
  if (first === "'") {
    const inner = found
      .slice(1, -1)
      .replaceAll("\\'", "'")
      .replace(/(^|[^\\])"/g, '$1\\"');
    return `"${inner}"`;
  }
  return found;
}
