import type { Nodes, Root, Link, Text } from "mdast";
import { remark } from "remark";
import { remarkDefinitionList } from "remark-definition-list";
import remarkGfm from "remark-gfm";
import type { Data, Processor } from "unified";
import { directive } from "micromark-extension-directive";
import { directiveFromMarkdown } from "mdast-util-directive";
import { highlightMark } from "micromark-extension-highlight-mark";
import { highlightMarkFromMarkdown } from "mdast-util-highlight-mark";
import { visit, type BuildVisitor } from "unist-util-visit";
import { shortcodeSyntax } from "../syntax/shortcode-syntax.js";
import type { SyntaxModules } from "../syntax/switches.js";
import { wikiLinkSyntax } from "../syntax/wiki-links.js";
import type { RenderOptions } from "../render/render-job.js";
import { shallowOnly } from "./nesting.js";

type Parser = Pick<ReturnType<typeof remark>, "parse">;
type Extension = NonNullable<Data["micromarkExtensions"]>[number];
type Constructs = NonNullable<Extension["text"]>[string];
type TreeExtension = Exclude<NonNullable<Data["fromMarkdownExtensions"]>[number], unknown[]>;
type ParserOptions = Pick<RenderOptions, "extra" | "autoLinks" | "shortcodes" | "syntax">;

/**
 * Characters required by each construct. GFM searches for addresses at every word and for a table
 * at every paragraph, which takes most of the parsing time of a plain page.
 */
const MARKS: Readonly<Record<string, RegExp>> = {
  emailAutolink: /@/,
  wwwAutolink: /www\./i,
  protocolAutolink: /https?:\/\//i,
  // A table with one column needs no bar, but a colon beside its dashes.
  table: /\||:-|-:/,
  strikethrough: /~/,
};
const BARE_ADDRESS = /https?:\/\/|www\.|@/i;
const WAYS = ["document", "flow", "text"] as const;

/**
 * Parses Markdown: CommonMark, GFM, with `extra` definition lists and footnotes, and additional
 * syntax.
 */
export function parseMarkdown(
  source: string,
  options: ParserOptions,
  modules: SyntaxModules = {},
): Root {
  const off = [...switchedOff(options), ...unneeded(source)];
  return createParser(options, off, modules).parse(source);
}

function createParser(
  { extra, shortcodes = [], syntax = [] }: ParserOptions,
  off: readonly string[],
  modules: SyntaxModules,
): Parser {
  const plain = remark().use(remarkGfm).use(withoutConstructs, off);
  const parser = shortcodes.length === 0 ? plain : plain.use(shortcodeSyntax, shortcodes);
  const more = syntax.length === 0 ? parser : parser.use(additionalSyntax, { syntax, modules });
  const linked = syntax.includes("wiki_links") ? more.use(wikiLinkSyntax) : more;
  const whole = extra ? linked.use(remarkDefinitionList) : linked;
  return whole.use(shallowOnly).freeze();
}

const COLON = 58;

/** The syntax of packages that a body needs. */
interface AdditionalSyntax {
  /** Names of switches. */
  readonly syntax: readonly string[];
  /** The loaded modules of this syntax. */
  readonly modules: SyntaxModules;
}

/** Adds the syntax of packages. Directives are only read as containers: `a:b` in a text stays text. */
function additionalSyntax(this: Processor, { syntax, modules }: AdditionalSyntax): void {
  const data = this.data();
  const constructs = (data.micromarkExtensions ??= []);
  const nodes = (data.fromMarkdownExtensions ??= []);
  if (syntax.includes("directives")) {
    const [container] = [directive().flow?.[COLON] ?? []].flat();
    if (container !== undefined) constructs.push({ flow: { [COLON]: container } });
    nodes.push(directiveFromMarkdown());
  }
  if (syntax.includes("mark")) {
    constructs.push(highlightMark());
    nodes.push(highlightMarkFromMarkdown);
  }
  if (modules.math !== undefined) {
    constructs.push(modules.math.syntax);
    nodes.push(modules.math.tree);
  }
}

function unneeded(source: string): string[] {
  return Object.keys(MARKS).filter((name) => MARKS[name]?.test(source) === false);
}

function switchedOff({ extra, autoLinks }: ParserOptions): string[] {
  const names: string[] = [];
  if (!extra) names.push("gfmFootnoteDefinition", "gfmFootnoteCall", "gfmPotentialFootnoteCall");
  if (!autoLinks) names.push("autolink");
  return names;
}

/** Removes constructs added by GFM, and disables built-in ones. */
function withoutConstructs(this: Processor, names: readonly string[]): void {
  const data = this.data();
  const off = new Set(names);
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map((one) => reduced(one, off));
  data.micromarkExtensions.push({ disable: { null: [...names] } });
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? []).map((one) =>
    Array.isArray(one) ? one.map(withCheapTransforms) : withCheapTransforms(one),
  );
}

function reduced(extension: Extension, off: ReadonlySet<string>): Extension {
  const next = { ...extension };
  for (const way of WAYS) {
    const rows = Object.entries(extension[way] ?? {});
    next[way] = Object.fromEntries(rows.map(([code, list]) => [code, without(list, off)]));
  }
  return next;
}

function without(list: Constructs, off: ReadonlySet<string>): Constructs {
  return [list ?? []].flat().filter(({ name }) => name === undefined || !off.has(name));
}

/** The GFM transform searches every text for addresses again; most trees contain no bare ones. */
function withCheapTransforms(extension: TreeExtension): TreeExtension {
  const { transforms } = extension;
  if (transforms === undefined || transforms === null) return extension;
  return {
    ...extension,
    transforms: transforms.map(
      (transform) => (tree) => (hasBareAddress(tree) ? transform(tree) : undefined),
    ),
  };
}

function hasBareAddress(node: Nodes): boolean {
  if (node.type === "text") return BARE_ADDRESS.test(node.value);
  if (node.type === "link" || node.type === "linkReference" || !("children" in node)) return false;
  return node.children.some(hasBareAddress);
}

/** Turns automatically linked addresses back into text. */
export function unlinkBareUrls(tree: Root, source: string): void {
  const unlink: BuildVisitor<Root, "link"> = (node, index, parent) => {
    if (parent === undefined || index === undefined || isMarked(node, source)) return;
    parent.children.splice(index, 1, ...node.children);
    joinText(parent.children, index);
    return index;
  };
  visit(tree, "link", unlink);
}

// Links made from text nodes have no position; those of the parser start with the address itself.
function isMarked(node: Link, source: string): boolean {
  const offset = node.position?.start.offset;
  return offset !== undefined && (source[offset] === "[" || source[offset] === "<");
}

function joinText(children: Pick<Nodes, "type">[], index: number): void {
  const [before, text, after] = [children[index - 1], children[index], children[index + 1]];
  if (!isText(text)) return;
  if (isText(after)) {
    text.value += after.value;
    children.splice(index + 1, 1);
  }
  if (isText(before)) {
    before.value += text.value;
    children.splice(index, 1);
  }
}

function isText(node: Pick<Nodes, "type"> | undefined): node is Text {
  return node?.type === "text";
}
