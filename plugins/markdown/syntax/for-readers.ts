/** HTML for programs that show it without the style sheets and scripts of the site. */

const HEADING_ANCHOR = /<a class="heading-anchor"[^>]*><\/a>/g;
const TAB_LABEL = /<label class="tab-label"><input[^>]*>([^<]*)<\/label>/g;
const PRESENTATION = '<span class="katex-html" aria-hidden="true">';

/** Leaves out anchors of headings and the drawn form of formulas, and turns tabs into titled parts. */
export function forReaders(html: string): string {
  const text = html.includes("heading-anchor") ? html.replace(HEADING_ANCHOR, "") : html;
  const parts = text.includes("tab-label")
    ? text.replace(TAB_LABEL, "<p><strong>$1</strong></p>")
    : text;
  return parts.includes(PRESENTATION) ? withoutPresentation(parts) : parts;
}

/** MathML remains, which readers either draw or show as text. */
function withoutPresentation(html: string): string {
  let kept = "";
  let from = 0;
  for (let at = html.indexOf(PRESENTATION); at !== -1; at = html.indexOf(PRESENTATION, from)) {
    kept += html.slice(from, at);
    from = endOfSpan(html, at);
  }
  return kept + html.slice(from);
}

function endOfSpan(html: string, start: number): number {
  const tags = /<(\/?)span\b/g;
  tags.lastIndex = start;
  let depth = 0;
  for (let tag = tags.exec(html); tag !== null; tag = tags.exec(html)) {
    depth += tag[1] === "/" ? -1 : 1;
    if (depth === 0) return tags.lastIndex + 1;
  }
  return html.length;
}
