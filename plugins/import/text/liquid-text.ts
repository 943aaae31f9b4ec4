/** Liquid and Nunjucks in Markdown: links and code become Markdown, other tags stay as comments and are reported. */

import { replaceMarks } from "#lib/text";
import { isRecord } from "#lib/values";
import { headingAttributes, listAnchor } from "./attribute-lists.js";
import { fencedCode, hideCode, outsideCode } from "./hidden-code.js";
import { joinedHtml, markdownInHtml } from "./markdown-in-html.js";
import {
  commentsLast,
  computedAddressNote,
  isInComment,
  templateComment,
  withoutComputedAddresses,
} from "./template-comments.js";

const HIGHLIGHT = /\{%-?\s*highlight\s+["']?([^\s%"']{1,40})[^%]*%\}\n?/g;
const END_HIGHLIGHT = /\n?\{%-?\s*endhighlight\s*-?%\}/g;
const BASE = /\{\{-?\s*(?:site\.(?:baseurl|url)|baseurl|base_url)(?:\s*\|[^{}]*)?\s*-?\}\}/g;
const FILTERED =
  /\{\{-?\s*["']([^"']*)["']\s*\|\s*(relative_url|absolute_url|url|prepend:[^{}]*)\s*-?\}\}/g;
const LINK = /\{%-?\s*link\s([^%]+)%\}/g;
const POST = /\{%-?\s*post_url\s+(\S+?)\s*-?%\}/g;
const COMMENT = /\{%-?\s*comment\s*-?%\}/g;
const END_COMMENT = /\{%-?\s*endcomment\s*-?%\}\n?/g;
/** A comment of Nunjucks or Twig; `{#id}` is that of a heading. */
const REMARK = /\{#(?=[\s-])[^{}]{0,2000}?#\}[ \t]*\n?/g;
const RAW = /\{%-?\s*(?:end)?(?:raw|verbatim)\s*-?%\}/g;
const RAW_LINE = /^[ \t]*\{%-?[ \t]*(?:end)?(?:raw|verbatim)[ \t]*-?%\}[ \t]*\n/gm;
const ATTRIBUTES =
  /^[ \t]*\{:[^{}\n]*\}[ \t]*(?:\n|$)|\{:(?<=^[ \t]*>[ \t>]*\{:)[^{}\n]*\}[ \t]*$|(?<=\S)\{:[^{}\n]*\}/gm;
/** A list that kramdown replaces by the table of contents. */
const CONTENTS =
  /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+[^\n]*\n[ \t]*\{:[^{}\n]*\btoc\b[^{}\n]*\}[ \t]*$/gm;
const VALUE = /\{\{-?\s*([A-Za-z_][\w.-]{1,200}?)\s*-?\}\}/g;
const LITERAL =
  /\{\{-?\s*(?:"([^"{}\n]{1,1000})"|'([^'{}\n]{1,1000})')\s*\|\s*(\w{1,100})[^{}\n]{0,200}\}\}/g;
const MAX_BEFORE = 1_000;
/** Loops in a loop. */
const MAX_INNER = 40;
const TAG = /\{%-?\s*(\w+)[^%]*%\}/g;
const OUTPUT = /(?<!\\)\{\{([^{}]{0,300})\}\}/g;

/**
 * The text with Markdown for known tags. `values`: the texts and numbers that stand for `{{ name }}`; those of maps for
 * `{{ site.name }}`.
 */
export function liquidText(
  body: string,
  values: Readonly<Record<string, unknown>> = {},
): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const assigned = withAssigned(body, notes);
  const listed = replaceMarks(assigned, HIGHLIGHT, ({ index, 0: head, 1: language = "" }, find) => {
    const start = index + head.length;
    const end = find(END_HIGHLIGHT, start);
    if (end === null) return null;
    return { text: fencedCode(language, assigned.slice(start, end.start)), end: end.end };
  });
  const filled = outsideCode(
    joinedHtml(listed),
    (part) => fill(kramdownText(known(part)), values, notes),
    {
      hasIndented: true,
    },
  );
  return { text: filled, notes: [...notes] };
}

/** The text without the marks of raw parts, which a template takes away before Markdown is read: in code too. */
export function withoutRawMarks(text: string): string {
  return text.replaceAll(RAW_LINE, "").replaceAll(RAW, "");
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

/** A block of text or a plain value that gets a name, or an output of one. */
const ASSIGNED =
  /\{%-?\s*(?:(set|capture)\s+(\w{1,100})\s*-?%\}|(?:set|assign)\s+(\w{1,100})\s*=\s*(?:"([^"\n]{0,1000})"|'([^'\n]{0,1000})')\s*-?%\})|\{\{-?\s*(\w{1,100})(?=\s*[|}-])([^{}\n]{0,300})\}\}/g;
const END_ASSIGNED = { set: /\{%-?\s*endset\s*-?%\}/g, capture: /\{%-?\s*endcapture\s*-?%\}/g };
const SHOWS = /\{%-?\s*(?:include|render|renderTemplate|renderFile)\b/;
const FILTER = /\|\s*(\w+)/g;
/** Filters that change nothing a reader sees. */
const PLAIN_FILTER = /^(?:highlight|safe|raw|strip|trim|markdown|markdownify|md|escape|e)$/;

/** A text that a page gives a name. */
interface Assigned {
  readonly text: string;
  readonly isBlock: boolean;
}

/**
 * The text with what `{% set name %}…{% endset %}` and `{% capture %}` give a name in the places that show it: with the
 * filter `highlight` as code. What only an included template shows stays where it is included.
 */
function withAssigned(body: string, notes: Set<string>): string {
  if (!/\{%-?\s*(?:set|capture|assign)\s/.test(body)) return body;
  const { text, restore } = hideCode(body);
  const values = new Map<string, Assigned>();
  const changed = replaceMarks(text, ASSIGNED, (match, find) => {
    const [whole, word, block = "", plain, double, single, shown = "", filters = ""] = match;
    const after = match.index + whole.length;
    if (word === "set" || word === "capture") {
      const end = find(END_ASSIGNED[word], after);
      if (end === null) return null;
      const value = restore(text.slice(after, end.start).replaceAll(RAW, ""));
      values.set(block, { text: value.replace(/^[ \t]*\n/, "").trimEnd(), isBlock: true });
      return { text: shownLater(block, text.slice(end.end), value, notes), end: end.end };
    }
    if (plain !== undefined) {
      values.set(plain, { text: double ?? single ?? "", isBlock: false });
      return null;
    }
    const value = values.get(shown);
    if (value === undefined) return null;
    const names = [...filters.matchAll(FILTER)].map(([, name = ""]) => name);
    for (const name of names.filter((one) => !PLAIN_FILTER.test(one)))
      notes.add(`the filter ${JSON.stringify(name)} of templates is not applied`);
    const language = /\|\s*highlight\s*[(:]?\s*["']([\w+#.-]{1,40})/.exec(filters)?.[1];
    const isCode = names.includes("highlight");
    return {
      text: isCode
        ? ownBlock(fencedCode(language ?? "", value.text), text, match.index)
        : value.text,
      end: after,
    };
  });
  return restore(changed);
}

/** A block of a named text that no output of the page shows, but a template that the page includes. */
function shownLater(name: string, rest: string, value: string, notes: Set<string>): string {
  const next = new RegExp(`\\{%-?\\s*(?:set|capture)\\s+${name}\\b|\\{\\{-?\\s*${name}\\b`).exec(
    rest,
  );
  const before = next === null ? rest : rest.slice(0, next.index);
  if (next?.[0].startsWith("{{") === true || !SHOWS.test(before)) return "";
  notes.add(
    `the text of ${JSON.stringify(name)}, which an included template shows, stays as it is`,
  );
  const text = value.replace(/^[ \t]*\n/, "").trimEnd();
  return /code|snippet|example|sample/i.test(name) ? `\n\n${fencedCode("", text)}\n\n` : text;
}

/** A block on lines of its own, indented as the line on which it is shown. */
function ownBlock(block: string, text: string, at: number): string {
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  if (before === "") return `\n${block}\n`;
  if (before.trim() !== "") return `\n\n${block}\n\n`;
  return block.replaceAll("\n", `\n${before}`);
}

const LOOP = /\{%-?\s*for\s+(?:\w+\s*,\s*)?(\w{1,100})\s+in\s+([^%\n]{1,200}?)\s*-?%\}/g;
const LOOP_TAG = /\{%-?\s*(for|endfor)\b/g;
/** A piece of code is one character of private use and a number. */
const CODE = /[\uE000-\uF8FF]/;

/** The text with each loop as one comment: what it repeats says nothing without its values. */
function withoutLoops(text: string, loops: string[], notes: Set<string>): string {
  return replaceMarks(text, LOOP, ({ index, 0: opening, 1: name = "", 2: list = "" }) => {
    const end = endOfLoop(text, index + opening.length);
    if (end === null) return null;
    const loop = text.slice(index, end);
    const isUsed = new RegExp(`\\{[{%][^{}%]{0,300}\\b${name}\\b`).test(loop.slice(opening.length));
    if (!isUsed || CODE.test(loop)) return null;
    const lines = loop.split("\n").map((one) => one.trim());
    const line = lines.filter((one) => one !== "").join(" ");
    const before = text.slice(Math.max(0, index - MAX_BEFORE), index);
    const comment = templateComment(before + line, before.length, before.length + line.length);
    if (comment === null) return null;
    notes.add(
      `the list of {% for ${name} in ${list.slice(0, 60)} %} is not shown and stays as a comment`,
    );
    loops.push(comment);
    return { text: `<!-- \0${loops.length - 1} -->`, end };
  });
}

/** The end of a loop whose opening ends at a place; null for one without an end. */
function endOfLoop(text: string, from: number): number | null {
  const tags = new RegExp(LOOP_TAG);
  tags.lastIndex = from;
  let depth = 1;
  for (let count = 0; count < MAX_INNER; count += 1) {
    const tag = tags.exec(text);
    if (tag === null) return null;
    depth += tag[1] === "for" ? 1 : -1;
    if (depth > 0) continue;
    const close = text.indexOf("%}", tags.lastIndex);
    return close === -1 ? null : close + 2;
  }
  return null;
}

function fill(
  written: string,
  values: Readonly<Record<string, unknown>>,
  notes: Set<string>,
): string {
  const loops: string[] = [];
  const shown = withoutLoops(written, loops, notes)
    .replaceAll(VALUE, (whole, path: string) => valueAt(values, path) ?? whole)
    .replaceAll(LITERAL, (_, double?: string, single?: string, filter = "") => {
      notes.add(`the filter ${JSON.stringify(filter)} of templates is not applied`);
      return double ?? single ?? "";
    });
  const { text, tags: addresses } = withoutComputedAddresses(shown);
  for (const tag of addresses) notes.add(computedAddressNote(tag));
  const tags = text.replaceAll(TAG, (tag: string, name: string, at: number) => {
    if (isInComment(text, at)) return tag;
    const comment = templateComment(text, at, at + tag.length);
    notes.add(`tag {% ${name} %} stays as ${comment === null ? "text" : "a comment"}`);
    return comment ?? tag;
  });
  const outputs = tags.replaceAll(OUTPUT, (whole: string, inner: string, at: number) => {
    if (isInComment(tags, at)) return whole;
    const comment = templateComment(tags, at, at + whole.length);
    const form = comment === null ? "text" : "a comment";
    notes.add(`output {{ ${inner.trim().slice(0, 60)} }} stays as ${form}`);
    return comment ?? `\\${whole}`;
  });
  // No character of a text: the comments of loops come back when all other tags are done.
  return commentsLast(outputs).replaceAll(
    /<!-- \0(\d+) -->/g,
    (whole, at: string) => loops[Number(at)] ?? whole,
  );
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
  return markdownInHtml(headingAttributes(listed).replaceAll(ATTRIBUTES, listAnchor));
}

/** Markdown for the tags that have a counterpart. */
function known(text: string): string {
  const shown = replaceMarks(text, COMMENT, ({ index }, find) => {
    const close = find(END_COMMENT, index);
    return close && { text: "", end: close.end };
  });
  return shown
    .replaceAll(REMARK, "")
    .replaceAll(BASE, "")
    .replaceAll(FILTERED, (_, path: string, filter: string) =>
      filter.endsWith("_url") ? path.replace(/^(?![/#]|https?:)/, "/") : path,
    )
    .replaceAll(LINK, (_, path: string) => `/${path.replace(/-$/, "").trim()}`)
    .replaceAll(POST, "/_posts/$1")
    .replaceAll(RAW, "");
}
