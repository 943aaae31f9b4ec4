/** MDX as Markdown: imports, exports and components go, and are reported. */

const FENCE =
  /^( {0,3})(`{3,}|~{3,})[^\n]*\n[^]*?(?:^ {0,3}\2[`~]*[ \t]*$|$(?![^]))|(?<!`)(`{1,2})(?!`)[^\n]*?[^`\n]\3(?!`)/gm;
const CODE =
  /^(?:import\s[^\n]*from\s+["'][^"'\n]+["'];?|import\s+["'][^"'\n]+["'];?|export\s+(?:const|default|function)\b[^]*?(?:\n\n|$(?![^])))[ \t]*\n?/gm;
const COMMENT = /\{\/\*[^]*?\*\/\}/g;
const COMPONENT = /<\/?([A-Z][\w.]*)\b(?:[^>"'{]|"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\})*>/g;
const ADMONITION =
  /^([ \t]*:{3,})(note|tip|info|important|warning|caution|danger|success)(?:[ \t]*\[([^\]\n]*)\]|[ \t]+([^\n]+))?[ \t]*$/gm;
const TRUNCATE = /<!--\s*truncate\s*-->|\{\/\*\s*truncate\s*\*\/\}/g;

/** The text without code. */
export function mdxText(
  body: string,
  { isMdx }: { isMdx: boolean },
): { text: string; notes: string[] } {
  const names = new Set<string>();
  const state = { code: false };
  const text = outsideCode(body, (part) => {
    const plain = part
      .replaceAll(TRUNCATE, "")
      .replaceAll(COMMENT, "")
      .replaceAll(CODE, () => {
        state.code = true;
        return "";
      });
    const bare = plain.replaceAll(COMPONENT, (_, name: string) => {
      names.add(name);
      return "";
    });
    return bare.replaceAll(
      ADMONITION,
      (_, ...[colons = "", kind = "", label, title]: (string | undefined)[]) => {
        const shown = label ?? title ?? "";
        return `${colons} ${kind}${shown === "" ? "" : ` ${shown}`}`;
      },
    );
  });
  const notes = [
    ...(state.code && isMdx ? ["imports and exports of MDX were left out"] : []),
    ...[...names].map((name) => `component <${name}> was left out, its content stays`),
  ];
  return { text, notes };
}

/** Changes what is outside of code. */
export function outsideCode(text: string, change: (part: string) => string): string {
  let result = "";
  let done = 0;
  for (const match of text.matchAll(FENCE)) {
    result += change(text.slice(done, match.index)) + match[0];
    done = match.index + match[0].length;
  }
  return result + change(text.slice(done));
}
