/** Liquid and Nunjucks in Markdown: links and code become Markdown, other tags stay as text and are reported. */

import { outsideCode } from "./mdx-text.js";

const HIGHLIGHT = /\{%-?\s*highlight\s+(\w+)[^%]*%\}\n?([^]*?)\n?\{%-?\s*endhighlight\s*-?%\}/g;
const BASE = /\{\{-?\s*(?:site\.(?:baseurl|url)|baseurl|base_url)(?:\s*\|[^}]*)?\s*-?\}\}/g;
const FILTERED =
  /\{\{-?\s*["']([^"']*)["']\s*\|\s*(?:relative_url|absolute_url|url|prepend:[^}]*)\s*-?\}\}/g;
const LINK = /\{%-?\s*link\s+([^%]+?)\s*-?%\}/g;
const POST = /\{%-?\s*post_url\s+(\S+?)\s*-?%\}/g;
const RAW = /\{%-?\s*(?:end)?(?:raw|verbatim)\s*-?%\}/g;
const ATTRIBUTES = /^[ \t]*\{:[^}\n]*\}[ \t]*\n?|(?<=\S)\{:[^}\n]*\}/gm;
const TAG = /\{%-?\s*(\w+)[^%]*%\}/g;
const OUTPUT = /(?<!\\)\{\{([^{}]{0,300})\}\}/g;

/** The text with Markdown for known tags. */
export function liquidText(body: string): { text: string; notes: string[] } {
  const kept = new Set<string>();
  const listed = body.replaceAll(
    HIGHLIGHT,
    (_, language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``,
  );
  const plain = outsideCode(listed, (part) => {
    const text = known(part);
    for (const [, name = ""] of text.matchAll(TAG)) kept.add(`tag {% ${name} %} stays as text`);
    return text.replaceAll(OUTPUT, (whole: string, inner: string) => {
      kept.add(`output {{ ${inner.trim().slice(0, 60)} }} stays as text`);
      return `\\${whole}`;
    });
  });
  return { text: plain, notes: [...kept] };
}

/** Markdown for the tags that have a counterpart. */
function known(text: string): string {
  return text
    .replaceAll(BASE, "")
    .replaceAll(FILTERED, "$1")
    .replaceAll(LINK, "/$1")
    .replaceAll(POST, "/_posts/$1.md")
    .replaceAll(RAW, "")
    .replaceAll(ATTRIBUTES, "");
}
