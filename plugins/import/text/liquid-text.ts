/** Liquid and Nunjucks in Markdown: links and code become Markdown, other tags stay as comments and are reported. */

import { replaceMarks } from "#lib/text";
import { isRecord } from "#lib/values";
import { headingAttributes } from "./attribute-lists.js";
import { fencedCode, outsideCode } from "./hidden-code.js";
import { markdownInHtml } from "./markdown-in-html.js";
import { commentsLast, templateComment } from "./template-comments.js";

const HIGHLIGHT = /\{%-?\s*highlight\s+([^\s%]{1,40})[^%]*%\}\n?/g;
const END_HIGHLIGHT = /\n?\{%-?\s*endhighlight\s*-?%\}/g;
const BASE = /\{\{-?\s*(?:site\.(?:baseurl|url)|baseurl|base_url)(?:\s*\|[^{}]*)?\s*-?\}\}/g;
const FILTERED =
  /\{\{-?\s*["']([^"']*)["']\s*\|\s*(relative_url|absolute_url|url|prepend:[^{}]*)\s*-?\}\}/g;
const LINK = /\{%-?\s*link\s([^%]+)%\}/g;
const POST = /\{%-?\s*post_url\s+(\S+?)\s*-?%\}/g;
const COMMENT = /\{%-?\s*comment\s*-?%\}/g;
const END_COMMENT = /\{%-?\s*endcomment\s*-?%\}\n?/g;
const RAW = /\{%-?\s*(?:end)?(?:raw|verbatim)\s*-?%\}/g;
const ATTRIBUTES =
  /^[ \t]*\{:[^{}\n]*\}[ \t]*(?:\n|$)|\{:(?<=^[ \t]*>[ \t>]*\{:)[^{}\n]*\}[ \t]*$|(?<=\S)\{:[^{}\n]*\}/gm;
/** A list that kramdown replaces by the table of contents. */
const CONTENTS =
  /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+[^\n]*\n[ \t]*\{:[^{}\n]*\btoc\b[^{}\n]*\}[ \t]*$/gm;
const VALUE = /\{\{-?\s*([A-Za-z_][\w.-]{1,200}?)\s*-?\}\}/g;
const MAX_BEFORE = 1_000;
const TAG = /\{%-?\s*(\w+)[^%]*%\}/g;
const OUTPUT = /(?<!\\)\{\{([^{}]{0,300})\}\}/g;

/**
 * The text with Markdown for known tags. `site`: the configuration, whose texts and numbers stand for
 * `{{ site.name }}`.
 */
export function liquidText(
  body: string,
  site: Readonly<Record<string, unknown>> = {},
): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const listed = replaceMarks(body, HIGHLIGHT, ({ index, 0: head, 1: language = "" }, find) => {
    const start = index + head.length;
    const end = find(END_HIGHLIGHT, start);
    if (end === null) return null;
    return { text: fencedCode(language, body.slice(start, end.start)), end: end.end };
  });
  const filled = outsideCode(listed, (part) => fill(kramdownText(known(part)), { site }, notes), {
    hasIndented: true,
  });
  return { text: filled, notes: [...notes] };
}

/** The text with the plain values of `{{ name }}`; other tags stay as comments. */
export function templateText(
  body: string,
  values: Readonly<Record<string, unknown>>,
): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const text = outsideCode(body, (part) => fill(part.replaceAll(RAW, ""), values, notes));
  return { text, notes: [...notes] };
}

function fill(
  written: string,
  values: Readonly<Record<string, unknown>>,
  notes: Set<string>,
): string {
  const text = written.replaceAll(VALUE, (whole, path: string) => valueAt(values, path) ?? whole);
  const tags = text.replaceAll(TAG, (tag: string, name: string, at: number) => {
    const comment = templateComment(text, at, at + tag.length);
    notes.add(`tag {% ${name} %} stays as ${comment === null ? "text" : "a comment"}`);
    return comment ?? tag;
  });
  const outputs = tags.replaceAll(OUTPUT, (whole: string, inner: string, at: number) => {
    if (isComment(tags, at)) return whole;
    const comment = templateComment(tags, at, at + whole.length);
    const form = comment === null ? "text" : "a comment";
    notes.add(`output {{ ${inner.trim().slice(0, 60)} }} stays as ${form}`);
    return comment ?? `\\${whole}`;
  });
  return commentsLast(outputs);
}

/** True in a comment that is open at a place of its line. */
function isComment(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_BEFORE), at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.lastIndexOf("<!--") > line.lastIndexOf("-->");
}

/** The text of a plain value at `site.social.name`; null for any other. */
function valueAt(values: Readonly<Record<string, unknown>>, path: string): string | null {
  let value: unknown = values;
  for (const name of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return null;
    value = value[name];
  }
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** Constructs of kramdown, the Markdown of Jekyll, as Markdown of this project. */
function kramdownText(text: string): string {
  const listed = text.replaceAll(CONTENTS, "$1[[toc]]");
  return markdownInHtml(headingAttributes(listed).replaceAll(ATTRIBUTES, ""));
}

/** Markdown for the tags that have a counterpart. */
function known(text: string): string {
  const shown = replaceMarks(text, COMMENT, ({ index }, find) => {
    const close = find(END_COMMENT, index);
    return close && { text: "", end: close.end };
  });
  return shown
    .replaceAll(BASE, "")
    .replaceAll(FILTERED, (_, path: string, filter: string) =>
      filter.endsWith("_url") ? path.replace(/^(?![/#]|https?:)/, "/") : path,
    )
    .replaceAll(LINK, (_, path: string) => `/${path.replace(/-$/, "").trim()}`)
    .replaceAll(POST, "/_posts/$1")
    .replaceAll(RAW, "");
}
