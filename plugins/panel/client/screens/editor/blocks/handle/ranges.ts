/** The blocks of a text, as its lines: found in the syntax tree, with containers (`::: note`) as one block each. */
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState, Text } from "@codemirror/state";
import type { Tree } from "@lezer/common";
import { isFigure } from "../block.js";
import { findContainers } from "../containers/container-source.js";

/** Kinds of blocks. */
export type BlockKind =
  | "text"
  | "heading"
  | "list"
  | "quote"
  | "code"
  | "table"
  | "picture"
  | "rule"
  | "container"
  | "html"
  | "definition";

/** A block at the top level of the text: whole lines, without the line end behind the last one. */
export interface TextBlock {
  readonly kind: BlockKind;
  readonly from: number;
  readonly to: number;
}

const KINDS: Readonly<Record<string, BlockKind>> = {
  BulletList: "list",
  OrderedList: "list",
  Blockquote: "quote",
  FencedCode: "code",
  CodeBlock: "code",
  Table: "table",
  HorizontalRule: "rule",
  HTMLBlock: "html",
  CommentBlock: "html",
  ProcessingInstructionBlock: "html",
  LinkReference: "definition",
};
/** Parse time for display, in milliseconds: the rest of a long text is found later. */
const GLANCE_MS = 20;
/** Parse time for a change, in milliseconds. */
const PARSE_MS = 2_000;
const cached = new WeakMap<Tree, { doc: Text; blocks: readonly TextBlock[] }>();

/** The blocks of the text that are found without a wait, in their order: to show something beside one. */
export function shownBlocks(state: EditorState): readonly TextBlock[] {
  return blocksWithin(state, GLANCE_MS);
}

/** All blocks of the text, in their order. */
export function textBlocks(state: EditorState): readonly TextBlock[] {
  return blocksWithin(state, PARSE_MS);
}

function blocksWithin(state: EditorState, ms: number): readonly TextBlock[] {
  const tree = ensureSyntaxTree(state, state.doc.length, ms) ?? syntaxTree(state);
  const known = cached.get(tree);
  if (known?.doc === state.doc) return known.blocks;
  const blocks = findBlocks(state, tree);
  cached.set(tree, { doc: state.doc, blocks });
  return blocks;
}

/** The block at a position; null between blocks. */
export function blockAt(state: EditorState, position: number): TextBlock | null {
  return textBlocks(state).find(({ from, to }) => from <= position && to >= position) ?? null;
}

function findBlocks(state: EditorState, tree: Tree): TextBlock[] {
  const { doc } = state;
  const containers = findContainers(state, tree);
  const blocks: TextBlock[] = containers.map(({ from, to }) => ({ kind: "container", from, to }));
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    let kind: BlockKind = isFigure(node)
      ? "picture"
      : (KINDS[node.name] ?? (/Heading/.test(node.name) ? "heading" : "text"));
    let { from } = doc.lineAt(node.from);
    const to = lastLine(doc, from, node.to);
    // A list takes the line that closes a container as its own, and what follows it.
    for (const inner of containers) {
      if (inner.to < from || inner.from > to) continue;
      if (from < inner.from) blocks.push({ kind, from, to: lastLine(doc, from, inner.from - 1) });
      [from, kind] = [inner.to + 1, "text"];
    }
    if (from <= to) blocks.push({ kind, from, to });
  }
  return blocks.sort((a, b) => a.from - b.from);
}

/** The end of the last line that has words. */
function lastLine(doc: Text, from: number, end: number): number {
  let line = doc.lineAt(Math.max(from, end));
  while (line.from > from && line.text.trim() === "") line = doc.line(line.number - 1);
  return line.to;
}
