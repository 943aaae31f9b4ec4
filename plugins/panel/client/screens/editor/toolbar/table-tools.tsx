import { syntaxTree } from "@codemirror/language";
import type { EditorView } from "@codemirror/view";
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  BetweenVerticalEnd,
  BetweenVerticalStart,
  FoldHorizontal,
  FoldVertical,
  type IconNode,
} from "lucide";
import type { VNode } from "preact";
import { Icon } from "../../../parts/icon.js";
import { columnAt, editTable, offsetOf, type TableAction } from "./table-edit.js";
import { t } from "./table-texts.js";
import { moveFocus } from "./toolbar-focus.js";

const TOOLS: readonly (readonly [TableAction, IconNode])[] = [
  ["rowAbove", BetweenHorizontalEnd],
  ["rowBelow", BetweenHorizontalStart],
  ["rowDelete", FoldVertical],
  ["columnBefore", BetweenVerticalEnd],
  ["columnAfter", BetweenVerticalStart],
  ["columnDelete", FoldHorizontal],
  ["alignLeft", AlignLeft],
  ["alignCenter", AlignCenter],
  ["alignRight", AlignRight],
];

/** Rows, columns and alignment, while the cursor is in a table. */
export function TableTools({ view }: { view: EditorView }): VNode | null {
  if (tableAt(view) === null) return null;
  return (
    <div class="toolbar" role="toolbar" aria-label={t("title")} onKeyDown={moveFocus}>
      {TOOLS.map(([action, icon], at) => (
        <button
          key={action}
          type="button"
          class="icon"
          title={t(action)}
          aria-label={t(action)}
          tabIndex={at === 0 ? 0 : -1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => run(view, action)}
        >
          <Icon of={icon} />
        </button>
      ))}
    </div>
  );
}

/** Numbers of the first and last line of the table at the cursor. */
function tableAt({ state }: EditorView): { first: number; last: number } | null {
  const { head } = state.selection.main;
  for (const side of [-1, 1] as const) {
    let node = syntaxTree(state).resolveInner(head, side);
    while (node.name !== "Table" && node.parent !== null) node = node.parent;
    if (node.name !== "Table") continue;
    return { first: state.doc.lineAt(node.from).number, last: state.doc.lineAt(node.to).number };
  }
  return null;
}

function run(view: EditorView, action: TableAction): void {
  const table = tableAt(view);
  if (table === null) return;
  const { doc, selection } = view.state;
  const { head } = selection.main;
  const line = doc.lineAt(head);
  const lines: string[] = [];
  for (let at = table.first; at <= table.last; at += 1) lines.push(doc.line(at).text);
  const cell = { row: line.number - table.first, column: columnAt(line.text, head - line.from) };
  const edited = editTable(lines, cell, action);
  if (edited === null) return;
  const { from } = doc.line(table.first);
  const { row, column } = edited.cell;
  const before = edited.lines.slice(0, row).reduce((sum, text) => sum + text.length + 1, 0);
  view.dispatch({
    changes: { from, to: doc.line(table.last).to, insert: edited.lines.join("\n") },
    selection: { anchor: from + before + offsetOf(edited.lines[row] ?? "", column) },
    scrollIntoView: true,
    userEvent: "input.format",
  });
  view.focus();
}
