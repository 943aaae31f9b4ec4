/** Liquid and Nunjucks in Markdown: links and code become Markdown, other tags stay as text and are reported. */

import { replaceMarks } from "#lib/text";
import { outsideCode } from "../../text/hidden-code.js";

const HIGHLIGHT = /\{%-?\s*highlight\s+(\w+)[^%]*%\}\n?/g;
const END_HIGHLIGHT = /\n?\{%-?\s*endhighlight\s*-?%\}/g;
const BASE = /\{\{-?\s*(?:site\.(?:baseurl|url)|baseurl|base_url)(?:\s*\|[^{}]*)?\s*-?\}\}/g;
const FILTERED =
  /\{\{-?\s*["']([^"']*)["']\s*\|\s*(?:relative_url|absolute_url|url|prepend:[^{}]*)\s*-?\}\}/g;
const LINK = /\{%-?\s*link\s([^%]+)%\}/g;
const POST = /\{%-?\s*post_url\s+(\S+?)\s*-?%\}/g;
const RAW = /\{%-?\s*(?:end)?(?:raw|verbatim)\s*-?%\}/g;
const ATTRIBUTES = /^[ \t]*\{:[^{}\n]*\}[ \t]*\n?|(?<=\S)\{:[^{}\n]*\}/gm;
const TAG = /\{%-?\s*(\w+)[^%]*%\}/g;
const OUTPUT = /(?<!\\)\{\{([^{}]{0,300})\}\}/g;

/** The text with Markdown for known tags. */
export function liquidText(body: string): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const listed = replaceMarks(body, HIGHLIGHT, ({ index, 0: head, 1: language }, find) => {
    const start = index + head.length;
    const end = find(END_HIGHLIGHT, start);
    if (end === null) return null;
    return { text: `\`\`\`${language}\n${body.slice(start, end.start)}\n\`\`\``, end: end.end };
  });
  const plain = outsideCode(listed, (part) => {
    const text = known(part);
    for (const [, name = ""] of text.matchAll(TAG)) notes.add(`tag {% ${name} %} stays as text`);
    return text.replaceAll(OUTPUT, (whole: string, inner: string) => {
      notes.add(`output {{ ${inner.trim().slice(0, 60)} }} stays as text`);
      return `\\${whole}`;
    });
  });
  return { text: plain, notes: [...notes] };
}

/** Markdown for the tags that have a counterpart. */
function known(text: string): string {
  return text
    .replaceAll(BASE, "")
    .replaceAll(FILTERED, "$1")
    .replaceAll(LINK, (_, path: string) => `/${path.replace(/-$/, "").trim()}`)
    .replaceAll(POST, "/_posts/$1.md")
    .replaceAll(RAW, "")
    .replaceAll(ATTRIBUTES, "");
}
