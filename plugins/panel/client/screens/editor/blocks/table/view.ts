/** Where the text has a table, it is drawn as a grid; the cursor goes into its cells, and words beside it stand apart. */
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import type { BlockView } from "../block.js";
import { Grid, ROW_PX } from "./grid.js";

const grids = new WeakMap<HTMLElement, Grid>();

class TableWidget extends WidgetType {
  readonly source: string;

  constructor(source: string) {
    super();
    this.source = source;
  }

  override eq(other: TableWidget): boolean {
    return other.source === this.source;
  }

  override get estimatedHeight(): number {
    return this.source.split("\n").length * ROW_PX;
  }

  toDOM(view: EditorView): HTMLElement {
    const grid = new Grid(view, this.source.split("\n"));
    grids.set(grid.dom, grid);
    return grid.dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    const grid = grids.get(dom);
    grid?.show(this.source.split("\n"));
    return grid !== undefined;
  }

  override destroy(dom: HTMLElement): void {
    grids.get(dom)?.destroy();
  }
}

/** The table that a position is in. */
function tableAt(state: EditorState, position: number): { from: number; to: number } | null {
  for (const side of [-1, 1] as const) {
    let node = syntaxTree(state).resolveInner(position, side);
    while (node.name !== "Table" && node.parent !== null) node = node.parent;
    if (node.name === "Table" && node.parent?.parent === null) {
      return { from: state.doc.lineAt(node.from).from, to: state.doc.lineAt(node.to).to };
    }
  }
  return null;
}

/** A cursor that comes into a table goes on in its cell. */
const enterTables = EditorView.updateListener.of(({ view, startState }) => {
  const { main } = view.state.selection;
  if (!view.hasFocus) return;
  const table = tableAt(view.state, main.head);
  if (table === null || main.anchor < table.from || main.anchor > table.to) return;
  queueMicrotask(() => {
    const dom = [...view.contentDOM.querySelectorAll<HTMLElement>(".md-table")].find(
      (one) => view.posAtDOM(one) === table.from,
    );
    if (dom === undefined || !view.hasFocus) return;
    // The text editor steps over what it replaces, to its other end.
    const isFromBelow = main.head === table.from && startState.selection.main.head > table.to;
    if (isFromBelow) view.dispatch({ selection: { anchor: table.to } });
    grids.get(dom)?.focusSelection();
  });
});

/** Words on the line below a table would be a row of it, above it they would take its heading: they stand apart. */
const besideTables = EditorView.inputHandler.of((view, from, to, text) => {
  const line = view.state.doc.lineAt(from);
  if (from !== to || line.text !== "" || text.trim() === "") return false;
  const isBelow = line.from > 0 && tableAt(view.state, line.from - 1) !== null;
  const isAbove = line.to < view.state.doc.length && tableAt(view.state, line.to + 1) !== null;
  if (!isBelow && !isAbove) return false;
  const insert = `${isBelow ? "\n" : ""}${text}${isAbove ? "\n" : ""}`;
  const anchor = from + (isBelow ? 1 : 0) + text.length;
  view.dispatch({ changes: { from, insert }, selection: { anchor }, userEvent: "input.type" });
  return true;
});

/** Tables at the top level; those inside quotes and lists stay text. */
export const tableView: BlockView = {
  decorate: (node, state) => {
    const { from } = state.doc.lineAt(node.from);
    const { to } = state.doc.lineAt(node.to);
    const widget = new TableWidget(state.sliceDoc(from, to));
    return [Decoration.replace({ widget, block: true }).range(from, to)];
  },
  extension: [enterTables, besideTables],
};
