/** TeX as HTML and MathML that a strict CSP allows: without inline styles. */
import katex from "katex";
import { styleClasses } from "./math-styles.js";

/** Longer formulas are shown as text. */
const MAX_LENGTH = 10_000;

/** Renders a formula; a malformed one is shown as its source, marked as an error. */
export function renderMath(tex: string, { isDisplay }: { isDisplay: boolean }): string {
  if (tex.length > MAX_LENGTH) return escaped(tex);
  try {
    const html = katex.renderToString(tex, {
      displayMode: isDisplay,
      // Links, images and classes of an author would bypass the sanitiser.
      trust: false,
      strict: "ignore",
      throwOnError: true,
      maxSize: 50,
      maxExpand: 500,
    });
    return withoutStyles(html);
  } catch (error) {
    if (!(error instanceof katex.ParseError)) throw error;
    const reason = escaped(error.message);
    return `<code class="math-error" title="${reason}">${escaped(tex)}</code>`;
  }
}

/** Moves inline styles into classes, which the style sheet of math defines. */
function withoutStyles(html: string): string {
  return html.replace(/<(?!math|annotation)[a-z]+ [^<>]*style="[^"<>]*"[^<>]*>/g, (tag) => {
    const style = /\sstyle="([^"]*)"/.exec(tag);
    const classes = styleClasses(style?.[1] ?? "").join(" ");
    const bare = tag.replace(/\sstyle="[^"]*"/, "");
    if (classes === "") return bare;
    if (!/\sclass="/.test(bare))
      return bare.replace(/^<[a-z]+/, (name) => `${name} class="${classes}"`);
    return bare.replace(/\sclass="([^"]*)"/, (_all, own: string) => ` class="${own} ${classes}"`);
  });
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
