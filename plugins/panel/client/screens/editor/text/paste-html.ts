/** Turns pasted HTML into Markdown; loaded with the first paste that has formatting. */
import { fromDom } from "hast-util-from-dom";
import { sanitize } from "hast-util-sanitize";
import { toMdast } from "hast-util-to-mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";

/** Markdown of an HTML fragment: no scripts, no styles, no addresses that run something. */
export function htmlToMarkdown(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const part of body.querySelectorAll("script, style, title, template")) part.remove();
  for (const image of body.querySelectorAll("img")) {
    if (!/^https?:/i.test(image.getAttribute("src") ?? "")) image.remove();
  }
  for (const link of body.querySelectorAll("a")) {
    const href = link.getAttribute("href") ?? "";
    if (!/^(?:https?:|mailto:|tel:|\/|#)/i.test(href)) link.replaceWith(...link.childNodes);
  }
  showStyles(body);
  const tree = toMdast(sanitize(fromDom(body)));
  return toMarkdown(tree, {
    extensions: [gfmToMarkdown()],
    bullet: "-",
    emphasis: "*",
    rule: "-",
    resourceLink: true,
  }).trim();
}

/** Word processors write emphasis as styles, and wrap everything into a `b` that is not bold. */
function showStyles(body: HTMLElement): void {
  for (const part of body.querySelectorAll<HTMLElement>("b[style], span[style]")) {
    // As text: the security policy of the panel takes styles away.
    const style = part.getAttribute("style") ?? "";
    const isBold = /font-weight:\s*(?:bold|[6-9]00)/i.test(style);
    const isPlain = part.localName === "b" && /font-weight:\s*(?:normal|400)/i.test(style);
    if (isPlain) part.replaceWith(...part.childNodes);
    else if (part.localName === "span" && part.textContent?.trim() !== "") {
      if (isBold) wrap(part, "strong");
      if (/font-style:\s*italic/i.test(style)) wrap(part, "em");
    }
  }
}

function wrap(part: HTMLElement, name: "strong" | "em"): void {
  const mark = part.ownerDocument.createElement(name);
  mark.append(...part.childNodes);
  part.append(mark);
}
