/** Tab and Shift Tab in lists: an item and what belongs to it become deeper or higher. */
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { ChangeSpec, EditorState, StateCommand } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";

/** Nests the item at the cursor below the one before it. False outside of lists: Tab leaves the text there. */
export const nestItem: StateCommand = ({ state, dispatch }) => {
  const item = itemAt(state);
  if (item === null) return false;
  let before = item.prevSibling;
  // In quotes, their marks stand between the items.
  while (before !== null && before.name !== "ListItem") before = before.prevSibling;
  const mark = before?.getChild("ListMark") ?? null;
  // The first item of a list has nothing to stand below.
  if (before === null || mark === null) return true;
  const column = columnOf(state, before) + contentWidth(state, mark);
  const depth = column - columnOf(state, item);
  if (depth <= 0) return true;
  const isFirst = before.getChild("OrderedList") === null;
  const changes = linesOf(state, item).map((at): ChangeSpec => ({
    from: at,
    insert: " ".repeat(depth),
  }));
  dispatch(
    state.update({
      changes: [...changes, ...(isFirst ? numberChange(state, item, 1) : [])],
      userEvent: "input.indent",
      scrollIntoView: true,
    }),
  );
  return true;
};

/** Puts the item at the cursor behind the one that it is nested in. False outside of lists. */
export const liftItem: StateCommand = ({ state, dispatch }) => {
  const item = itemAt(state);
  if (item === null) return false;
  const outer = item.parent?.parent ?? null;
  if (outer?.name !== "ListItem") return true;
  const depth = columnOf(state, item) - columnOf(state, outer);
  const changes = linesOf(state, item).flatMap((at): ChangeSpec[] => {
    const line = state.doc.lineAt(at);
    const from = line.from + columnOf(state, outer);
    const spaces = /^[ \t]*/.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
    const removed = Math.min(depth, spaces);
    return removed <= 0 ? [] : [{ from, to: from + removed }];
  });
  const number = Number(/^\d+/.exec(state.sliceDoc(outer.from, outer.from + 12))?.[0] ?? 0);
  dispatch(
    state.update({
      changes: [...changes, ...numberChange(state, item, number + 1)],
      userEvent: "delete.dedent",
      scrollIntoView: true,
    }),
  );
  return true;
};

const PARSE_MS = 100;

function itemAt(state: EditorState): SyntaxNode | null {
  // An item ends where the parser has found its end.
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  // The end of a line is behind its item.
  const indent = /^[\s>]*/.exec(line.text)?.[0].length ?? 0;
  for (const at of [head, line.from + indent]) {
    let node: SyntaxNode | null = tree.resolveInner(at, at === head ? -1 : 1);
    while (node !== null && node.name !== "ListItem") node = node.parent;
    if (node !== null) return node;
  }
  return null;
}

function columnOf(state: EditorState, { from }: SyntaxNode): number {
  return from - state.doc.lineAt(from).from;
}

/** Width of a mark with the spaces behind it; more than four belong to code. */
function contentWidth(state: EditorState, mark: SyntaxNode): number {
  const spaces = /^ {1,4}(?! )/.exec(state.sliceDoc(mark.to, mark.to + 6))?.[0].length ?? 1;
  return mark.to - mark.from + spaces;
}

/** Where the lines of an item begin, behind the marks of quotes; empty lines stay empty. */
function linesOf(state: EditorState, item: SyntaxNode): number[] {
  const column = columnOf(state, item);
  const places: number[] = [];
  for (let line = state.doc.lineAt(item.from); ; line = state.doc.line(line.number + 1)) {
    if (line.length > column) places.push(line.from + column);
    if (line.to >= item.to || line.number === state.doc.lines) return places;
  }
}

function numberChange(state: EditorState, item: SyntaxNode, number: number): ChangeSpec[] {
  const digits = /^\d+/.exec(state.sliceDoc(item.from, item.from + 12))?.[0];
  if (digits === undefined || number < 1 || digits === String(number)) return [];
  return [{ from: item.from, to: item.from + digits.length, insert: String(number) }];
}
