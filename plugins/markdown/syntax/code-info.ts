/** The info string of a code fence: ```` ```ts title="a.ts" {2,4-6} showLineNumbers ````. */
import type { Root } from "hast";
import { eachElement, codeLanguage } from "../parse/elements.js";
import type { RenderOptions } from "../render/render-job.js";

/** The display of a code block. */
export interface CodeInfo {
  /** Lower case; empty without one. */
  readonly lang: string;
  readonly title: string | null;
  /** `[label]`: the tab of a code group. */
  readonly label: string | null;
  /** Number of the first line; null without line numbers. */
  readonly firstNumber: number | null;
  /** Ranges of marked lines, from 1. */
  readonly marked: readonly (readonly [from: number, to: number])[];
}

const MAX_RANGES = 100;
const LANG = /^([^\s{[:=]*)(?::(no-)?line-numbers(?:=(\d{1,6}))?)?/;
/** Attributes of Pandoc: `{.python}`, `{#id .python title="a.py"}`. The first class is the language. */
const ATTRIBUTES = /^\{\s*(?:[^\s{}.][^\s{}]*\s+)*\.([^\s{}]+)([^{}]*)\}/;
const TITLE = /(?:^|\s)(?:title|filename|file)=(?:"([^"]*)"|'([^']*)'|([^\s"']+))/;
const LABEL = /(?:^|\s|\})\[([^[\]]*)\]/;
const RANGES = /\{([\d,\s-]+)\}/;
const NUMBERS =
  /(?:^|\s):?(?:showLineNumbers|line-?numbers|linenums)(?:\{(\d{1,6})\}|="?(\d{1,6})"?)?(?=\s|$)/i;

/** Parses the language and the rest of an info string as the parser of Markdown separates them. */
export function parseCodeInfo(lang: string | null, meta: string | null): CodeInfo {
  const all = `${lang ?? ""} ${meta ?? ""}`;
  const [attributes, first = "", others = ""] = ATTRIBUTES.exec(all) ?? [];
  if (attributes !== undefined) {
    return parseCodeInfo(first, `${others} ${all.slice(attributes.length)}`);
  }
  const written = lang ?? "";
  const head = LANG.exec(written);
  const [whole = "", name = ""] = head ?? [];
  const rest = `${written.slice(whole.length)} ${meta ?? ""}`.trim();
  return {
    lang: name.toLowerCase(),
    title: firstGroup(TITLE.exec(rest)),
    label: firstGroup(LABEL.exec(rest.replace(TITLE, " ")))?.trim() || null,
    firstNumber: firstNumber(written, head, rest),
    marked: parseRanges(firstGroup(RANGES.exec(rest)) ?? ""),
  };
}

/** Returns the text of the first group that took part in a match. */
function firstGroup(match: RegExpExecArray | null): string | null {
  return match?.slice(1).find((group) => group !== undefined) ?? null;
}

function firstNumber(lang: string, head: RegExpExecArray | null, rest: string): number | null {
  if (lang.includes(":line-numbers")) return Number(head?.[3] ?? 1);
  const match = NUMBERS.exec(rest);
  return match === null ? null : Number(match[1] ?? match[2] ?? 1);
}

function parseRanges(text: string): (readonly [number, number])[] {
  return text
    .split(",")
    .slice(0, MAX_RANGES)
    .flatMap((range) => {
      const [from, to = from] = range.trim().split("-").map(Number);
      const isRange = Number.isInteger(from) && Number.isInteger(to);
      return isRange && from !== undefined && to !== undefined && from > 0 && to >= from
        ? [[from, to] as const]
        : [];
    });
}

/** True when lines of the block are displayed differently. */
export function hasLines(info: CodeInfo): boolean {
  return info.firstNumber !== null || info.marked.length > 0;
}

/** True for a line (from 1) that the author marks. */
export function isMarked({ marked }: CodeInfo, line: number): boolean {
  return marked.some(([from, to]) => line >= from && line <= to);
}

/** Languages of the code blocks; null when no block needs a highlighter. */
export function listLanguages(tree: Root, { syntax = [] }: RenderOptions): string[] | null {
  if (!syntax.includes("highlight") && !syntax.includes("code_lines")) return null;
  const languages = new Set<string>();
  let hasBlocks = false;
  eachElement(tree, (element) => {
    if (element.tagName !== "code") return;
    hasBlocks = true;
    const language = codeLanguage(element);
    if (language !== "") languages.add(language);
  });
  languages.delete("mermaid");
  return hasBlocks ? [...languages] : null;
}
