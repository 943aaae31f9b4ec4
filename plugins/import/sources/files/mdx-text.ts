/** MDX as Markdown: imports, exports and components go, and are reported. */
import { replaceMarks } from "#kernel/internal";
import { outsideCode } from "../../text/outside-code.js";
import { tagEndIn } from "../../text/tag-end.js";

const CODE =
  /^(?:import\s[^\n]*from\s+["'][^"'\n]+["'];?|import\s+["'][^"'\n]+["'];?|export\s+(?:const|default|function)\b[^]*?(?:\n\n|$(?![^])))[ \t]*\n?/gm;
const COMMENT = /\{\/\*/g;
const COMPONENT = /<\/?([A-Z][\w.]{0,200})\b/g;
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
    const shown = replaceMarks(part.replaceAll(TRUNCATE, ""), COMMENT, ({ index }, find) => {
      const close = find("*/}", index);
      return close && { text: "", end: close.end };
    });
    const plain = shown.replaceAll(CODE, () => {
      state.code = true;
      return "";
    });
    const tagEnd = tagEndIn(plain);
    const bare = replaceMarks(plain, COMPONENT, ({ index, 0: head, 1: name = "" }) => {
      const end = tagEnd(index + head.length);
      if (end === null) return null;
      names.add(name);
      return { text: "", end };
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
