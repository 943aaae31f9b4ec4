/** Guards against HTML that would exhaust the stack of a converter. */
import { finderIn, withoutTags } from "#kernel/internal";

const MAX_DEPTH = 150;
const TAG = /<(\/?)([a-z][a-z0-9:-]{0,30})\b/gi;
const VOID: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);
/** Their end tags may be left out. */
const OPTIONAL: ReadonlySet<string> = new Set(
  "p li td tr th dd dt option tbody thead tfoot".split(" "),
);

/** True for HTML with more open elements at a time than any article has. */
export function isDeepHtml(html: string): boolean {
  let depth = 0;
  let done = 0;
  const find = finderIn(html);
  for (const { index, 1: slash, 2: name = "" } of html.matchAll(TAG)) {
    const close = find(">", index);
    if (close === null) break;
    if (index < done) continue;
    done = close.end;
    const tag = name.toLowerCase();
    if (VOID.has(tag) || OPTIONAL.has(tag) || html[close.start - 1] === "/") continue;
    depth = Math.max(0, depth + (slash === "/" ? -1 : 1));
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The text of HTML without its tags, safe as Markdown. */
export function plainText(html: string): string {
  const text = withoutTags(html, " ").replaceAll(/[<>]/g, " ");
  return `${text
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll("{{", "\\{{")
    .trim()}\n`;
}
