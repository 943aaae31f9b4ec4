/** Markdown of VitePress and VuePress: what needs Vue is left out or shown as text, and reported. */
import { slug } from "github-slugger";
import { replaceMarks } from "#lib/text";
import { isRecord } from "#lib/values";
import { headingAttributes } from "../../text/attribute-lists.js";
import { tabLines, titledAlerts } from "../../text/containers.js";
import { outsideCode } from "../../text/hidden-code.js";
import { commentsLast, isInComment, templateComment } from "../../text/template-comments.js";
import {
  attributeOf,
  closedElements,
  leftOut,
  type ShowComponent,
  withoutComponents,
} from "../../text/mdx-text.js";

const BLOCK = /<(script|style)\b[^<>]{0,300}>/gi;
const OUTPUT = /(?<!\\)\{\{([^{}\n]{0,300})\}\}/g;
const VERBATIM = /<(\w{1,20})\b[^<>]{0,200}?\sv-pre(?=[\s>/])[^<>]{0,200}>/g;
const REPEATED =
  /<([a-zA-Z][\w-]{0,40})\b[^<>]{0,500}?\sv-for=(?:"([^"]{0,500})"|'([^']{0,500})')[^<>]{0,500}>/g;
/** Characters of an element, and elements of its name inside it. */
const MAX_ELEMENT = 5_000;
const MAX_INNER = 40;
const MAX_BEFORE = 1_000;
/** A piece of code is one character of private use and a number. */
const CODE = /[\uE000-\uF8FF]/;
/** The attributes of a tag, up to the first bracket in a value. */
const TAG = /<([a-z][\w-]{0,40})(?![\w-])[^<>]{0,1000}/gi;
const DIRECTIVE = /\s((?:v-[a-z]{1,20}|[:@#][a-z])[\w:.-]{0,40})(?==|[\s/]|$)/g;
/** An address that Vue computes, which is no link of the source. */
const BOUND = /\s((?::|v-bind:)(?:href|src|to))=(?:"[^"]{0,500}"|'[^']{0,500}')/g;
const BADGE = /(?<![ \t])[ \t]*<Badge\b/;
const HEADING = /^(#{1,6}[ \t]+)([^\n]*)$/gm;
const TOC = /^\[\[toc\]\][ \t]*$/gim;
/** VuePress: a code block of a group by its title. */
const GROUP_ITEM = /^(:{3,})[ \t]*code-group-item\b[ \t]*/gm;
const GROUP = /^(:{3,})[ \t]*code-group(?![\w-])/gm;
/** VuePress: `<code-group>` and `<code-block title="x">`, components of its theme. */
const GROUP_ELEMENT = /<(\/?)code-(group|block)(?![\w-])/g;
/** VuePress: `@tab Title` in `::: tabs` and `::: code-tabs`. */
const TAB_GROUP = /^([ \t]*)(:{3,})[ \t]*(?:code-)?tabs\b/;
const TAB = /^[ \t]*@tab(?::active)?[ \t]+([^\n#]*?)[ \t]*(?:#\S*)?[ \t]*$/;

const SHOWN: Readonly<Record<string, ShowComponent>> = {
  Badge: ({ tag, text }) => badge(attributeOf(tag, "text") ?? text),
  // Its content is for browsers only, which makes no difference to a text.
  ClientOnly: ({ text }) => text,
  RouterLink: ({ tag, text }) => link(text, attributeOf(tag, "to")),
  RouteLink: ({ tag, text }) => link(text, attributeOf(tag, "to")),
};

/** The text with Markdown for what has a counterpart; notes name what was left out. */
export function vueText(
  body: string,
  data: Readonly<Record<string, unknown>>,
): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const names = new Map<string, boolean>();
  const withoutBlocks = (part: string): string =>
    replaceMarks(part, BLOCK, ({ index, 0: head, 1: name = "" }, find) => {
      const end = find(new RegExp(`</${name}\\s*>\\n?`, "gi"), index + head.length);
      if (end === null) return null;
      notes.add(`<${name.toLowerCase()}> was left out`);
      return { text: "", end: end.end };
    });
  const text = outsideCode(body, (part) => {
    const plain = titledAlerts(withTabs(withoutBlocks(part)))
      .replaceAll(TOC, "[[toc]]")
      .replaceAll(GROUP, part.includes("code-group-item") ? "$1 tabs" : "$&")
      .replaceAll(GROUP_ITEM, "$1 tab ")
      .replaceAll(
        GROUP_ELEMENT,
        (_, slash: string, name: string) =>
          `<${slash}${name === "group" ? "CodeGroup" : "CodeGroupItem"}`,
      )
      .replaceAll(HEADING, (whole, marks: string, heading: string) =>
        BADGE.test(heading) && !/\{#[^{}]+\}\s*$/.test(heading)
          ? `${marks}${heading.trim()} {#${slug(plainHeading(heading))}}`
          : whole,
      );
    const named = headingAttributes(plain);
    const { text: shown, restore } = withoutRepeated(withoutVerbatim(named), notes);
    const linked = shown.replaceAll(TAG, (tag, name: string) => {
      // Components have a line of their own.
      const lost = tag.matchAll(/^[a-z]/.test(name) ? DIRECTIVE : BOUND);
      for (const [, one] of lost) notes.add(`the attribute ${one} of Vue has no effect`);
      return tag.replaceAll(BOUND, "");
    });
    const without = closedElements(withoutComponents(linked, names, SHOWN));
    return restore(withoutOutputs(without, (expression) => valueOf(expression, data), notes));
  });
  return { text, notes: [...notes, ...leftOut(names)] };
}

/** The text, whose code is hidden, with comments for what Vue computes in it: lists and values. */
export function withoutComputed(text: string, notes: Set<string>): string {
  const { text: shown, restore } = withoutRepeated(withoutVerbatim(text), notes);
  return restore(withoutOutputs(shown, () => null, notes));
}

/** The text with `{{ }}` as characters in elements whose content Vue does not read; in HTML, a backslash is text. */
function withoutVerbatim(text: string): string {
  return replaceMarks(text, VERBATIM, ({ index, 0: opening, 1: name = "" }) => {
    const from = index + opening.length;
    const end = endOfElement(text, name, from) ?? from;
    const head = opening.replace(/\sv-pre(?=[\s>/])/, "");
    return { text: head + text.slice(from, end).replaceAll(OUTPUT, "&#123;&#123;$1}}"), end };
  });
}

/** The text with each element that Vue repeats as a comment: what it repeats says nothing without its values. */
function withoutRepeated(
  text: string,
  notes: Set<string>,
): { text: string; restore: (changed: string) => string } {
  const comments: string[] = [];
  const shown = replaceMarks(text, REPEATED, (match) => {
    const { index, 0: opening, 1: name = "", 2: double, 3: single } = match;
    const end = endOfElement(text, name, index + opening.length);
    if (end === null || CODE.test(text.slice(index, end))) return null;
    const lines = text
      .slice(index, end)
      .split("\n")
      .map((one) => one.trim());
    const line = lines.filter((one) => one !== "").join(" ");
    const before = text.slice(Math.max(0, index - MAX_BEFORE), index);
    const comment = templateComment(before + line, before.length, before.length + line.length);
    if (comment === null) return null;
    const list = (double ?? single ?? "").slice(0, 60);
    notes.add(`the list of v-for="${list}" is not shown and stays as a comment`);
    comments.push(comment);
    return { text: `<!-- \0${comments.length - 1} -->`, end };
  });
  const restore = (changed: string): string =>
    changed.replaceAll(/<!-- \0(\d+) -->/g, (mark, at: string) => comments[Number(at)] ?? mark);
  return { text: shown, restore };
}

/** The text with the known values of `{{ }}`; others stay as comments. */
function withoutOutputs(
  text: string,
  valueOfExpression: (expression: string) => string | null,
  notes: Set<string>,
): string {
  const filled = text.replaceAll(OUTPUT, (whole: string, inner: string, at: number) => {
    if (isInComment(text, at)) return whole;
    const value = valueOfExpression(inner.trim());
    if (value !== null) return value;
    const comment = templateComment(text, at, at + whole.length);
    const form = comment === null ? "text" : "a comment";
    notes.add(`output {{ ${inner.trim().slice(0, 60)} }} stays as ${form}`);
    return comment ?? `\\${whole}`;
  });
  return commentsLast(filled);
}

/** The place after the end tag of an element whose opening tag ends at `from`; null when it is not near. */
function endOfElement(text: string, name: string, from: number): number | null {
  const near = text.slice(from, from + MAX_ELEMENT);
  let depth = 1;
  let count = 0;
  for (const { 0: tag, index } of near.matchAll(new RegExp(`</?${name}(?![\\w-])[^<>]*>`, "g"))) {
    count += 1;
    if (count > MAX_INNER) return null;
    if (!tag.endsWith("/>")) depth += tag.startsWith("</") ? -1 : 1;
    if (depth === 0) return from + index + tag.length;
  }
  return null;
}

/** The text with a container for each `@tab` of a group. */
function withTabs(text: string): string {
  if (!text.includes("@tab")) return text;
  const lines = text.split("\n");
  const result: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [start, , colons = ""] = TAB_GROUP.exec(lines[at] ?? "") ?? [];
    const end =
      start === undefined
        ? -1
        : lines.findIndex((line, next) => next > at && line.trim() === colons);
    const tabs = end === -1 ? [] : tabsOf(lines.slice(at + 1, end));
    if (tabs.length === 0) result.push(lines[at] ?? "");
    else {
      result.push(...tabLines(tabs));
      at = end;
    }
  }
  return result.join("\n");
}

function tabsOf(lines: readonly string[]): { title: string; lines: string[] }[] {
  const tabs: { title: string; lines: string[] }[] = [];
  for (const line of lines) {
    const title = TAB.exec(line)?.[1];
    if (title === undefined) tabs.at(-1)?.lines.push(line);
    else tabs.push({ title, lines: [] });
  }
  return tabs;
}

/** Badges are no part of the anchor of a heading. */
function plainHeading(heading: string): string {
  return heading
    .replaceAll(/<Badge\b[^<>]*(?:\/>|>[^<]*<\/Badge>)/g, "")
    .replaceAll(/[`*]/g, "")
    .trim();
}

/** A plain value of the front matter: `$frontmatter.title`. */
function valueOf(expression: string, data: Readonly<Record<string, unknown>>): string | null {
  const path = /^\$(?:page\.)?frontmatter\.([\w.]{1,200})$/.exec(expression)?.[1];
  if (path === undefined) return null;
  let value: unknown = data;
  for (const name of path.split("."))
    value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** A short mark beside a text. */
export function badge(text: string): string {
  const plain = text.trim().replaceAll(/\s+/g, " ");
  return plain === "" ? "" : `==${plain}==`;
}

function link(text: string, to: string | null): string {
  return to === null ? text : `[${text.trim()}](${to})`;
}
