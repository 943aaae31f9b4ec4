/** Moves, duplicates and deletes blocks of the text. Other lines stay as they are written. */
import { syntaxTree } from "@codemirror/language";
import type { ChangeSpec, EditorState, TransactionSpec } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { textBlocks, type TextBlock } from "./ranges.js";

/** Blocks that follow one another, by their place in the list of all blocks. */
export interface BlockRun {
  readonly first: number;
  readonly last: number;
}

/** The blocks in which the selection is; null between blocks. */
export function selectedBlocks(state: EditorState): BlockRun | null {
  const { from, to } = state.selection.main;
  const blocks = textBlocks(state);
  const first = blocks.findIndex((block) => block.to >= from && block.from <= to);
  if (first === -1) return null;
  const last = blocks.findLastIndex((block) => block.to >= from && block.from <= to);
  return { first, last };
}

/**
 * Moves blocks so that they stand before the block `target`; a number behind the last block is the end of the
 * text. Null when they stand there. The blank lines between blocks stay, and are added where blocks would
 * become one.
 */
export function moveBlocks(
  state: EditorState,
  { first, last }: BlockRun,
  target: number,
): TransactionSpec | null {
  const blocks = textBlocks(state);
  const [head, tail] = [blocks[first], blocks[last]];
  const isDown = target > last + 1;
  if (head === undefined || tail === undefined || (!isDown && target >= first)) return null;
  const moved = state.sliceDoc(head.from, tail.to);
  const [before, after] = [blocks[first - 1], blocks[last + 1]];
  const left = gapFix(state, before, after, isDown ? [before, head] : [tail, after]);
  let at: number;
  let insert: string;
  let offset: number;
  let removed: { from: number; to: number };
  if (isDown) {
    const above = blocks[target - 1];
    const below = blocks[target];
    if (above === undefined || after === undefined) return null;
    const gap = wide(state.sliceDoc(tail.to, after.from), above, head);
    const isTight = gapFix(state, tail, below, [above, below]) !== "";
    at = above.to;
    insert = gap + moved + (isTight ? "\n" : "");
    offset = gap.length;
    removed = { from: head.from, to: after.from };
  } else {
    const above = blocks[target - 1];
    const below = blocks[target];
    if (below === undefined || before === undefined) return null;
    const gap = wide(state.sliceDoc(before.to, head.from), tail, below);
    const fix = gapFix(state, above, head, [above, below]);
    at = below.from;
    insert = fix + moved + gap;
    offset = fix.length;
    removed = { from: before.to, to: tail.to };
  }
  const changes = state.changes([
    { ...removed, insert: left },
    { from: at, insert },
  ]);
  const from = changes.mapPos(at, -1) + offset;
  const { main } = state.selection;
  const inside = (position: number): number =>
    from + Math.min(Math.max(position - head.from, 0), moved.length);
  return {
    changes,
    selection: { anchor: inside(main.anchor), head: inside(main.head) },
    scrollIntoView: true,
    userEvent: "move.block",
  };
}

/** The text between two blocks that become neighbours: at least a blank line. */
function wide(gap: string, above: TextBlock, below: TextBlock): string {
  return isFree(above, below) || newlines(gap) > 1 ? gap : `\n${gap}`;
}

/** What is missing between two neighbours, whose gap is that between two other blocks. */
function gapFix(
  state: EditorState,
  above: TextBlock | undefined,
  below: TextBlock | undefined,
  [from, to]: readonly [TextBlock | undefined, TextBlock | undefined],
): string {
  if (above === undefined || below === undefined || from === undefined || to === undefined) {
    return "";
  }
  return wide("", above, below) === "" || newlines(state.sliceDoc(from.to, to.from)) > 1
    ? ""
    : "\n";
}

/** Definitions of links need no blank line between them. */
function isFree(above: TextBlock, below: TextBlock): boolean {
  return above.kind === "definition" && below.kind === "definition";
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}

/** Duplicates blocks below themselves; the cursor moves to the same place in the copies. */
export function duplicateBlocks(
  state: EditorState,
  { first, last }: BlockRun,
): TransactionSpec | null {
  const blocks = textBlocks(state);
  const [head, tail] = [blocks[first], blocks[last]];
  if (head === undefined || tail === undefined) return null;
  const gap = isFree(tail, head) ? "\n" : "\n\n";
  const text = state.sliceDoc(head.from, tail.to);
  const from = tail.to + gap.length;
  const cursor = Math.min(Math.max(state.selection.main.head - head.from, 0), text.length);
  return {
    changes: { from: tail.to, insert: gap + text },
    selection: { anchor: from + cursor },
    scrollIntoView: true,
    userEvent: "input.duplicate",
  };
}

/** Removes blocks with the blank lines below them. */
export function deleteBlocks(
  state: EditorState,
  { first, last }: BlockRun,
): TransactionSpec | null {
  const blocks = textBlocks(state);
  const [head, tail] = [blocks[first], blocks[last]];
  if (head === undefined || tail === undefined) return null;
  const [before, after] = [blocks[first - 1], blocks[last + 1]];
  let change: { from: number; to: number; insert: string };
  if (after !== undefined) {
    const insert = gapFix(state, before, after, [before, head]);
    change = { from: head.from, to: after.from, insert };
  } else change = { from: before?.to ?? head.from, to: tail.to, insert: "" };
  return {
    changes: change,
    selection: { anchor: change.from + change.insert.length },
    scrollIntoView: true,
    userEvent: "delete.block",
  };
}

/**
 * Moves the item of a list at the cursor before the one above it, or behind the one below; numbers stay in
 * their order. Null outside of lists; an empty change at the edge of a list.
 */
export function moveItem(state: EditorState, side: 1 | -1): TransactionSpec | null {
  const item = itemAt(state);
  if (item === null) return null;
  const other = siblingItem(item, side);
  if (other === null) return {};
  const [above, below] = side === 1 ? [item, other] : [other, item];
  const gap = state.sliceDoc(above.to, below.from);
  const numbers = [above, below].map(
    ({ from }) => /^\d+/.exec(state.sliceDoc(from, from + 12))?.[0],
  );
  const [upper = "", lower = ""] = numbers;
  const areNumbered = upper !== "" && upper.length === lower.length;
  const text = state.sliceDoc(below.from, below.to);
  const insert = (areNumbered ? upper + text.slice(lower.length) : text) + gap;
  const changes: ChangeSpec[] = [
    { from: above.from, insert },
    { from: above.to, to: below.to },
  ];
  if (areNumbered && upper !== lower) {
    changes.push({ from: above.from, to: above.from + upper.length, insert: lower });
  }
  const cursor = state.selection.main.head - item.from;
  const from = side === 1 ? above.from + insert.length : above.from;
  return {
    changes,
    selection: { anchor: from + cursor },
    scrollIntoView: true,
    userEvent: "move.item",
  };
}

function itemAt(state: EditorState): SyntaxNode | null {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const indent = /^[\s>]*/.exec(line.text)?.[0].length ?? 0;
  for (const [at, side] of [
    [head, -1],
    [line.from + indent, 1],
  ] as const) {
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, side);
    while (node !== null && node.name !== "ListItem") node = node.parent;
    if (node !== null) return node;
  }
  return null;
}

/** In quotes, their marks stand between the items. */
function siblingItem(item: SyntaxNode, side: 1 | -1): SyntaxNode | null {
  let node = side === 1 ? item.nextSibling : item.prevSibling;
  while (node !== null && node.name !== "ListItem") {
    node = side === 1 ? node.nextSibling : node.prevSibling;
  }
  return node;
}
