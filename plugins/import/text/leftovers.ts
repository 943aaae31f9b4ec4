/**
 * Finds what is left of the syntax of other systems in a written text: visible to readers, who would see it as
 * characters. Code, formulas and comments are not looked at.
 */
import type { Root } from "mdast";
import remarkGemoji from "remark-gemoji";
import { replaceMarks } from "#lib/text";
import { hideCode } from "./hidden-code.js";

/** A place in a text that looks like the syntax of another system. */
export interface Leftover {
  /** What it looks like, in a few words. */
  readonly kind: string;
  /** From 1, in the text. */
  readonly line: number;
}

interface Syntax {
  readonly kind: string;
  /** Global. The first group is a name, if the syntax has one. */
  readonly pattern: RegExp;
  /** False for a name that means something here, or in plain text. */
  readonly isOther?: (name: string) => boolean;
  /** The only source that has it, when plain text may look the same. */
  readonly source?: string;
}

/** Names of containers of this project. */
const CONTAINERS: ReadonlySet<string> = new Set(
  "note tip info important warning caution danger success details code-group tabs tab gallery buttons include".split(
    " ",
  ),
);
/** Kinds of alerts of this project; `video` and others are of other systems. */
const ALERTS: ReadonlySet<string> = new Set(["note", "tip", "important", "warning", "caution"]);

const SYNTAXES: readonly Syntax[] = [
  { kind: "shortcode of Hugo {{< >}}", pattern: /\{\{[<%]/g },
  { kind: "include {{#include}}", pattern: /\{\{#[a-z_]+/g },
  { kind: "template tag {% %}", pattern: /\{%[^\n]{0,500}?%\}/g },
  {
    kind: "template output {{ }}",
    pattern: /\{\{(?![<%#])[^{}\n]{0,300}\}\}/g,
  },
  { kind: "template comment {# #}", pattern: /\{# [^{}\n]{0,300}#\}/g },
  { kind: "template tag <% %>", pattern: /<%[^\n]{0,300}?%>/g },
  {
    kind: "tag of Kirby (name: )",
    pattern:
      /\((?:link|image|email|tel|youtube|vimeo|video|audio|file|gist|twitter|figure|gallery|date): ?[^()\n]{1,300}\)/g,
    source: "kirby",
  },
  {
    kind: "component <Name>",
    pattern: /(?<![\w<])<\/?([A-Z][A-Za-z0-9.]{1,60})(?=[\s/>])/g,
    // Old HTML is in capitals.
    isOther: (name) => /[a-z]/.test(name),
  },
  { kind: "custom element <name-of>", pattern: /(?<![\w<])<([a-z]+-[a-z0-9-]{1,60})(?=[\s/>])/g },
  {
    kind: "JSX attribute className= or style={{",
    pattern: /\s(?:className|class|style)=\{|\sclassName=["']/g,
  },
  { kind: "JSX attribute src={ }", pattern: /<[a-z][\w-]*\s[^<>\n]{0,200}?[a-zA-Z]{1,40}=\{/g },
  {
    kind: "JSX value {props.x}",
    pattern: /\{(?:props|frontMatter|metadata|this|siteConfig)\.[\w.]{1,100}\}/g,
  },
  { kind: "JSX comment {/* */}", pattern: /\{\/\*/g },
  {
    kind: "import of MDX",
    pattern: /^import\s[^\n]{1,200}?\sfrom\s+["'][^"'\n]+["']|^import\s+["'][^"'\n]+["'];?$/gm,
  },
  { kind: "export of MDX", pattern: /^export\s+(?:const|default|function|let)\s/gm },
  { kind: "block ///", pattern: /^[ \t>]*\/{3,}[ \t]*[a-z][\w-]*(?:[ \t]*\|[^\n]*)?[ \t]*$/gm },
  { kind: "notice !!!", pattern: /^[ \t>]*!!!\+?[ \t]+\S/gm },
  {
    kind: "details ???",
    pattern: /^[ \t>]*\?\?\?\+?[ \t]+[a-z][\w-]*(?:[ \t]+"[^"\n]*")?[ \t]*$/gm,
  },
  { kind: "notice ! of Grav", pattern: /^!{1,4} \S/gm, source: "grav" },
  { kind: "notice ?> or !>", pattern: /^[?!]> \S/gm },
  { kind: 'tab === "title"', pattern: /^[ \t>]*===[!+]?[ \t]+["'][^"'\n]+["'][ \t]*$/gm },
  { kind: "attribute list {: }", pattern: /\{:[^{}\n]{0,200}\}/g },
  { kind: "attribute list {.class}", pattern: /\{[ \t]*\.[a-zA-Z][\w-]*[^{}\n]{0,200}\}/g },
  // The id of a heading is known here, its class is not.
  {
    kind: "attribute list {#id .class}",
    pattern:
      /(?<!^#{1,6}[ \t][^\n]{0,300})\{#[\w-]+\}(?=[ \t]*$)|\{#[\w-]+[ \t]+[^{}#\n]{1,200}\}/gm,
  },
  {
    kind: "icon :name:",
    pattern: /(?<![\w:/\]]):([a-z][a-z0-9_+-]{1,80}):(?![\w:/])/g,
    isOther: (name) => !isEmoji(name),
  },
  {
    kind: "keys ++ctrl+c++",
    pattern:
      /(?<![+\w])\+\+(?:[a-z0-9-]{2,30}|"[^"\n]{1,30}"|[a-z])(?:\+(?:[a-z0-9-]{1,30}|"[^"\n]{1,30}"))*\+\+(?![+\w])/g,
  },
  { kind: "annotation (1)!", pattern: /(?<=\s|^)\(\d{1,2}\)!(?=\s|$)/gm },
  { kind: "snippet --8<--", pattern: /-{1,8}8<-{1,8}/g },
  { kind: "include <!--@include-->", pattern: /<!--\s*@(?:include|code)/g },
  { kind: "include :include or @include", pattern: /\s["']:include\b|^@(?:include|import)\(/gm },
  { kind: "embed ![[ ]]", pattern: /!\[\[[^[\]\n]{1,300}\]\]/g },
  {
    kind: "wiki link [[ ]]",
    pattern: /(?<![!\w])\[\[([^[\]\n]{1,300})\]\]/g,
    isOther: (name) => !/^_?toc_?$/i.test(name),
  },
  {
    kind: "table of contents",
    pattern:
      /^[ \t]*(?:@\[\[?toc\]?\]|\$\{toc\}|\{\{?[ \t]*toc[ \t]*\}?\}|\{:toc\}|\[\[_TOC_\]\][^\n]+)/gim,
  },
  {
    kind: "container ::: of another name",
    pattern: /^[ \t>]*:{3,}[ \t]*\{?[ \t]*\.?([a-zA-Z][\w-]{0,60})/gm,
    isOther: (name) => !CONTAINERS.has(name.toLowerCase()),
  },
  {
    kind: "component ::name",
    pattern: /^[ \t>]*::([a-z][\w-]{1,60})(?:\{[^\n]*\}|\[[^\n]*\])*[ \t]*$/gm,
  },
  {
    kind: "shortcode [name]",
    pattern:
      /\[\/([a-z][\w-]{1,60})\](?![(:[])|\[[a-z][\w-]{1,60}(?:[ \t]+[\w-]{1,40}=(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|[^\s"'\]]{1,100})){1,20}[ \t]*\/?\](?![(:[])/g,
  },
  {
    kind: "alert of another name [!name]",
    pattern: /^[ \t>]*\[!([a-z][\w-]{0,40})[^\]\n]{0,300}\]/gim,
    isOther: (name) => !ALERTS.has(name.toLowerCase()),
  },
  { kind: "inserted text ^^ ^^", pattern: /\^\^[^\s^][^^\n]{0,300}\^\^/g },
  {
    kind: "edit mark {++ ++}",
    pattern: /\{(?:\+\+|--|~~|==|>>)[^\n]{1,500}?(?:\+\+|--|~~|==|<<)\}/g,
  },
  { kind: "snippet <<< file", pattern: /^[ \t]*<<<[ \t]*[@./\w]\S*/gm },
  { kind: "include {* *}", pattern: /\{\*[^\n]{1,500}?\*\}/g },
  { kind: "directive of reStructuredText ..", pattern: /^[ \t]*\.\. [a-z][\w-]*::/gm },
  { kind: "comment %% %%", pattern: /%%[^%\n]{1,500}%%/g },
];

/** What is left in a text of the source, in the order of the table, with the lines of each kind. */
export function findLeftovers(markdown: string, source: string): Leftover[] {
  const text = shownText(markdown);
  const found: Leftover[] = [];
  const lines = lineFinder(text);
  for (const { kind, pattern, isOther, source: only } of SYNTAXES) {
    if (only !== undefined && only !== source) continue;
    for (const { index, 0: whole, 1: name } of text.matchAll(pattern)) {
      if (name !== undefined && isOther !== undefined && !isOther(name)) continue;
      // A pattern may begin with the line break before its line.
      found.push({ kind, line: lines(index + whole.length - whole.trimStart().length) });
    }
  }
  return found;
}

/** The line of a place, from 1. */
function lineFinder(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

const COMMENT = /<!--(?!\s{0,20}@)/g;
const FORMULA = /\$\$[^$]{1,5000}\$\$|\$[^$\n]{0,200}[\\^_][^$\n]{0,200}\$/g;
const ESCAPE = /\\([[\]{}<>_*!|:+^~=()#%-])/g;

/** The text without code, formulas, comments, and escapes, which would only hide what a reader sees. */
function shownText(markdown: string): string {
  const blank = (whole: string): string => whole.replaceAll(/[^\n]+/g, " ");
  const { text } = hideCode(markdown);
  const plain = replaceMarks(text, COMMENT, ({ index }, find) => {
    const close = find("-->", index);
    return close && { text: blank(text.slice(index, close.end)), end: close.end };
  });
  return plain.replaceAll(FORMULA, blank).replaceAll(ESCAPE, "$1");
}

const withEmoji = remarkGemoji();

function isEmoji(name: string): boolean {
  const value = `:${name}:`;
  const tree: Root = {
    type: "root",
    children: [{ type: "paragraph", children: [{ type: "text", value }] }],
  };
  withEmoji(tree);
  const [paragraph] = tree.children;
  const [text] = paragraph?.type === "paragraph" ? paragraph.children : [];
  return text?.type === "text" && text.value !== value;
}
