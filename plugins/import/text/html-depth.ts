/** Guards against HTML that would exhaust the stack of a converter. */

const MAX_DEPTH = 150;
const TAG = /<(\/?)([a-z][a-z0-9:-]{0,30})\b[^>]{0,20000}?(\/?)>/gi;
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
  for (const [, slash, name = "", selfClosing] of html.matchAll(TAG)) {
    const tag = name.toLowerCase();
    if (VOID.has(tag) || OPTIONAL.has(tag) || selfClosing === "/") continue;
    depth = Math.max(0, depth + (slash === "/" ? -1 : 1));
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The text of HTML without its tags, safe as Markdown. */
export function plainText(html: string): string {
  const text = html.replaceAll(/<[^>]*>/g, " ").replaceAll(/[<>]/g, " ");
  return `${text
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll("{{", "\\{{")
    .trim()}\n`;
}
