/** Gives the nodes of additional syntax, of blocks and within lines, their HTML. */
import { findAndReplace, type FindAndReplaceTuple } from "mdast-util-find-and-replace";
import type {
  Code,
  Html,
  Nodes,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  Delete,
} from "mdast";
import type { InlineMath, Math } from "mdast-util-math";
import { asElement, toAlert, toContainer, restored } from "./containers.js";
import { hasLines, parseCodeInfo, type CodeInfo } from "./code-info.js";
import type { Parts, TransformContext } from "./placeholders.js";
import { parseWikiLink, wikiKey } from "./wiki-links.js";

interface Run extends TransformContext {
  readonly abbreviations: Map<string, string>;
}

const TOC = /^[ \t]*\[(?:\[_?toc_?\]|toc)\][ \t]*$/i;

/** Transforms a tree in place. */
export function transformSyntax(tree: Root, context: TransformContext): void {
  const run: Run = { ...context, abbreviations: new Map() };
  tree.children = transformAll(tree.children, run);
  if (context.needed.has("sub_sup") && context.source.includes("^")) {
    findAndReplace(tree, [superscript]);
  }
  context.modules.emoji?.(tree);
  markAbbreviations(tree, run.abbreviations);
}

function transformAll<Child extends Nodes>(children: readonly Child[], run: Run): Child[] {
  return children.flatMap((child) => {
    const next = transformed(child, run);
    for (const node of next) {
      // A replaced node has been transformed; containers still have their content.
      if ("children" in node) node.children = transformAll(node.children as Nodes[], run) as never;
    }
    return next as Child[];
  });
}

type Transform<Node> = (node: Node, run: Run) => Nodes[];

/** Transforms by type of node. */
const TRANSFORMS: { [Type in Nodes["type"]]?: Transform<Extract<Nodes, { type: Type }>> } = {
  blockquote: (node, { needed, source, lang }) => {
    if (needed.has("alerts")) toAlert(node, source, lang);
    return [node];
  },
  containerDirective: (node, run) =>
    node.data?.hName === undefined ? toContainer(node, run) : [node],
  code: (node, run) => [toCode(node, run)],
  math: (node, run) => [toMath(node, run)],
  inlineMath: (node, run) => [toMath(node, run)],
  paragraph: toParagraph,
  delete: (node, { needed, source }) => {
    if (needed.has("sub_sup")) toSubscript(node, source);
    return [node];
  },
  html: (node, run) => [
    node.value.startsWith("[[") ? toWikiLink(node, run) : unrewritten(node, run),
  ],
};

/** The nodes that replace a node, mostly itself. */
function transformed(node: Nodes, run: Run): Nodes[] {
  if (node.type === ("highlight" as string)) return toMark(node, run);
  const transform = TRANSFORMS[node.type] as Transform<Nodes> | undefined;
  return transform === undefined ? [unrewritten(node, run)] : transform(node, run);
}

/** Code and text that only look like a container keep what the author wrote. */
function unrewritten<Node extends Nodes>(node: Node, { written }: Run): Node {
  if (written.size > 0 && "value" in node) node.value = restored(node.value, written);
  return node;
}

function toMark(node: Nodes, { source }: Run): Nodes[] {
  if (!("children" in node)) return [node];
  if (isInWord(node, source)) {
    const sign = (): PhrasingContent => ({ type: "text", value: "==" });
    return [sign(), ...node.children, sign()];
  }
  node.data = asElement("mark", []);
  return [node];
}

function toCode(node: Code, run: Run): Nodes {
  const { needed, parts } = run;
  unrewritten(node, run);
  const info = parseCodeInfo(node.lang ?? null, node.meta ?? null);
  if (info.lang === "math" && run.modules.math !== undefined) {
    return toMath({ type: "math", value: node.value, ...at(node) }, run);
  }
  if (info.lang === "mermaid" && needed.has("mermaid")) {
    const name = parts.add({ kind: "diagram" });
    node.data = asElement("code", ["language-mermaid", name]);
  } else if (needed.has("code_lines") && isSpecial(node, info)) {
    const language = info.lang === "" ? [] : [`language-${info.lang}`];
    node.data = asElement("code", [...language, parts.add({ kind: "code", info })]);
  }
  return node;
}

function isSpecial({ lang, value }: Code, info: CodeInfo): boolean {
  const isTitled = info.title !== null || info.label !== null;
  return isTitled || hasLines(info) || value.includes("[!code ") || info.lang !== (lang ?? "");
}

function toMath(node: Math | InlineMath, { parts, modules }: Run): Nodes {
  if (modules.math === undefined) return node;
  const isDisplay = node.type === "math";
  // GitHub's form, $`…`$.
  const tex = isDisplay ? node.value : node.value.replace(/^`([^]*)`$/, "$1");
  const name = parts.add({ kind: "math", tex, isDisplay });
  const children: PhrasingContent[] = [{ type: "text", value: tex }];
  const data = asElement(isDisplay ? "p" : "span", [name]);
  return isDisplay
    ? { type: "paragraph", data, children, ...at(node) }
    : { type: "emphasis", data, children, ...at(node) };
}

function toParagraph(node: Paragraph, run: Run): RootContent[] {
  const { needed, source, parts, abbreviations } = run;
  if (needed.has("toc") && TOC.test(cutSource(node, source))) {
    node.data = asElement("div", [parts.add({ kind: "toc" })]);
    node.children = [];
    return [node];
  }
  const definitions = needed.has("abbreviations") ? readAbbreviations(node, source) : null;
  if (definitions !== null) {
    for (const [name, text] of definitions) abbreviations.set(name, text);
    return [];
  }
  if (needed.has("figures")) toFigure(node);
  return [node];
}

/** An image alone in a paragraph, with a title: the title becomes its caption. */
function toFigure(node: Paragraph): void {
  const [only, ...others] = node.children;
  if (only?.type !== "image" || others.length > 0 || !only.title) return;
  const caption: PhrasingContent = { type: "text", value: only.title };
  delete only.title;
  node.data = asElement("figure", []);
  node.children = [
    only,
    { type: "emphasis", data: asElement("figcaption", []), children: [caption] },
  ];
}

function toWikiLink(node: Html, { parts }: Run): Nodes {
  const { page, heading, text } = parseWikiLink(node.value);
  const line = node.position?.start.line ?? 1;
  const name = parts.add({
    kind: "wiki",
    name: page + (heading && `#${heading}`),
    source: node.value,
    line,
  });
  return {
    type: "emphasis",
    data: asElement("a", [name]),
    children: [{ type: "text", value: text }],
    ...at(node),
  };
}

/** The keys of the wiki links of a body. */
export function wikiKeys({ all }: Parts): string[] {
  return all.flatMap((part) => (part.kind === "wiki" ? [wikiKey(part.line, part.name)] : []));
}

function at({ position }: Nodes): { position?: NonNullable<Nodes["position"]> } {
  return position === undefined ? {} : { position };
}

function cutSource({ position }: Nodes, source: string): string {
  return position === undefined
    ? ""
    : source.slice(position.start.offset ?? 0, position.end.offset ?? 0);
}

const WORD = /[\p{L}\p{N})\]]/u;
const ABBREVIATION = /^ {0,3}\*\[([^\]\n]{1,100})\]:[ \t]*(\S[^\n]*?)[ \t]*$/;
const MAX_ABBREVIATIONS = 200;
const SUPERSCRIPT = /(?<=[\p{L}\p{N})\]])\^([^\s^~]{1,40})\^/gu;

/**
 * `H~2~O`: a single tilde after a word, around text without spaces, is a subscript. Others stay what
 * GFM makes of them.
 */
function toSubscript(node: Delete, source: string): void {
  const [start, end] = [node.position?.start.offset, node.position?.end.offset];
  if (start === undefined || end === undefined) return;
  const text = source.slice(start, end);
  const isSingle = text.startsWith("~") && !text.startsWith("~~");
  if (isSingle && !/\s/.test(text) && WORD.test(source[start - 1] ?? "")) {
    node.data = { hName: "sub" };
  }
}

/** `a==b==c` is an expression, not a mark: within a word the signs stay. */
function isInWord({ position }: Nodes, source: string): boolean {
  const [start, end] = [position?.start.offset, position?.end.offset];
  if (start === undefined || end === undefined) return false;
  return /\w/.test(source[start - 1] ?? "") || /\w/.test(source[end] ?? "");
}

/** `x^2^` becomes a superscript. */
const superscript: FindAndReplaceTuple = [
  SUPERSCRIPT,
  (_all: string, value: string): PhrasingContent => ({
    type: "emphasis",
    data: { hName: "sup" },
    children: [{ type: "text", value }],
  }),
];

/** The abbreviations that a paragraph defines (`*[HTML]: …`); null for any other paragraph. */
function readAbbreviations(
  { position }: Paragraph,
  source: string,
): ReadonlyMap<string, string> | null {
  const text = source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
  const abbreviations = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const match = ABBREVIATION.exec(line);
    if (match === null) return null;
    abbreviations.set(match[1] ?? "", match[2] ?? "");
  }
  return abbreviations.size === 0 ? null : abbreviations;
}

/** Explains each use of an abbreviation. */
function markAbbreviations(tree: Root, abbreviations: ReadonlyMap<string, string>): void {
  const names = [...abbreviations.keys()].slice(0, MAX_ABBREVIATIONS);
  if (names.length === 0) return;
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map(escapedPattern);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${longestFirst.join("|")})(?![\\p{L}\\p{N}])`,
    "gu",
  );
  findAndReplace(tree, [
    pattern,
    (value: string): PhrasingContent => ({
      type: "emphasis",
      data: asElement("abbr", [], { title: abbreviations.get(value) ?? "" }),
      children: [{ type: "text", value }],
    }),
  ]);
}

function escapedPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
