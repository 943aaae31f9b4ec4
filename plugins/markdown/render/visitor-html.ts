/** Markdown of visitors as HTML: a subset, sanitised, without shortcodes, images and headings. */
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import { remark } from "remark";
import remarkRehype from "remark-rehype";
import { shallowOnly } from "../parse/nesting.js";

const TAGS = ["p", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "a", "br"];

const processor = remark()
  .use(shallowOnly)
  .use(remarkRehype)
  .use(rehypeSanitize, {
    tagNames: TAGS,
    attributes: { a: ["href"] },
    protocols: { href: ["http", "https", "mailto"] },
    strip: ["script", "style"],
  })
  .use(rehypeStringify)
  .freeze();

/**
 * Safe HTML; links tell search engines that a visitor has set them. Takes quadratic time at worst, so
 * only the limited renderer calls it.
 */
export function visitorHtml(text: string): string {
  const html = String(processor.processSync(text));
  return html.replaceAll("<a href=", '<a rel="nofollow ugc noopener" href=');
}
