/** Markdown of comments as HTML: a subset, sanitised, without shortcodes, images and headings. */
import rehypeSanitize from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import { remark } from "remark";
import remarkRehype from "remark-rehype";

/** Nested quotes and lists cost much more than they say. */
const MAX_NESTING = 20;
const MARKER = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])[ \t]*)+/;
const TAGS = ["p", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "a", "br"];

const processor = remark()
  .use(remarkRehype)
  .use(rehypeSanitize, {
    tagNames: TAGS,
    attributes: { a: ["href"] },
    protocols: { href: ["http", "https", "mailto"] },
    strip: ["script", "style"],
  })
  .use(rehypeStringify);

/** Safe HTML; a link tells search engines that a visitor has set it. */
export async function commentHtml(text: string): Promise<string> {
  if (isDeep(text)) return `<p>${plain(text)}</p>`;
  const html = String(await processor.process(text));
  return html.replaceAll("<a href=", '<a rel="nofollow ugc noopener" href=');
}

function isDeep(text: string): boolean {
  return text.split("\n").some((line) => {
    const markers = MARKER.exec(line)?.[0] ?? "";
    return markers.replaceAll(/\s/g, "").length > MAX_NESTING || /^[ \t]{200}/.test(line);
  });
}

function plain(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
