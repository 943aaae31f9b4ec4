import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  BetweenVerticalEnd,
  BetweenVerticalStart,
  Bold,
  Code,
  FoldHorizontal,
  FoldVertical,
  Heading2,
  Heading3,
  Image,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  Quote,
  Redo2,
  Table,
  Undo2,
  type IconNode,
} from "lucide";
import { redo, undo } from "@codemirror/commands";
import type { EditorView } from "@codemirror/view";
import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { syntaxTree } from "@codemirror/language";
import { texts } from "../../../app/texts.js";
import de from "../../../locales/de/table.json";
import en from "../../../locales/en/table.json";
import { Icon } from "../../../parts/icon.js";
import { t } from "../editor-texts.js";
import type { EditSession } from "../saving/edit-session.js";
import { insertTable, toggleInline, toggleLines } from "./formatting.js";
import { findColumn, editTable, cellOffset, type TableAction } from "../blocks/table-source.js";

const tableText = texts({ en, de });

/** Properties of the toolbar. */
export interface ToolbarProps {
  session: EditSession;
  /** Line of the cursor. */
  line: Signal<number>;
  view(): EditorView | null;
  onLink(): void;
  onImage(): void;
}
type Label = Parameters<typeof t>[0];
interface Tool {
  readonly label: Label;
  readonly icon: IconNode;
  run(view: EditorView): void;
}

const formats: readonly Tool[] = [
  { label: "format.bold", icon: Bold, run: toggleInline("**") },
  { label: "format.italic", icon: Italic, run: toggleInline("*") },
  { label: "format.code", icon: Code, run: toggleInline("`") },
  { label: "format.heading2", icon: Heading2, run: toggleLines(() => "## ") },
  { label: "format.heading3", icon: Heading3, run: toggleLines(() => "### ") },
  { label: "format.list", icon: List, run: toggleLines(() => "- ") },
  { label: "format.numbers", icon: ListOrdered, run: toggleLines((at) => `${at + 1}. `) },
  { label: "format.tasks", icon: ListChecks, run: toggleLines(() => "- [ ] ") },
  { label: "format.quote", icon: Quote, run: toggleLines(() => "> ") },
  { label: "format.table", icon: Table, run: insertTable },
];

/** Buttons above the text, with those of tables while the cursor is in one. */
export default function Toolbar(props: ToolbarProps): VNode {
  return (
    <>
      <Formats {...props} />
      <Tables {...props} />
    </>
  );
}

/** Apart from the other buttons, which are not drawn again with every key. */
function Tables({ session, line, view }: ToolbarProps): VNode | null {
  // Both signals tell when the cursor enters or leaves a table.
  void [session.text.revision.value, line.value];
  const editor = view();
  return editor === null ? null : <TableTools view={editor} />;
}

/** Arrow keys move between them. */
function Formats({ view, onLink, onImage }: ToolbarProps): VNode {
  const tools: readonly Tool[] = [
    ...formats,
    { label: "format.link", icon: Link, run: onLink },
    { label: "format.image", icon: Image, run: onImage },
    { label: "format.undo", icon: Undo2, run: undo },
    { label: "format.redo", icon: Redo2, run: redo },
  ];
  return (
    <div class="toolbar" role="toolbar" aria-label={t("format")} onKeyDown={moveFocus}>
      {tools.map(({ label, icon, run }, at) => (
        <button
          key={label}
          type="button"
          class="icon"
          title={t(label)}
          aria-label={t(label)}
          tabIndex={at === 0 ? 0 : -1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            const editor = view();
            if (editor !== null) run(editor);
          }}
        >
          <Icon of={icon} />
        </button>
      ))}
    </div>
  );
}

/** Arrow keys move between the buttons of a toolbar, which is one stop for Tab. */
function moveFocus(event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const { currentTarget } = event;
  if (step === 0 || !(currentTarget instanceof HTMLElement)) return;
  const buttons = [...currentTarget.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = buttons[(at + step + buttons.length) % buttons.length];
  event.preventDefault();
  for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
  next?.focus();
}

interface TableTool {
  readonly action: TableAction;
  readonly icon: IconNode;
}

const TABLE_TOOLS: readonly TableTool[] = [
  { action: "rowAbove", icon: BetweenHorizontalEnd },
  { action: "rowBelow", icon: BetweenHorizontalStart },
  { action: "rowDelete", icon: FoldVertical },
  { action: "columnBefore", icon: BetweenVerticalEnd },
  { action: "columnAfter", icon: BetweenVerticalStart },
  { action: "columnDelete", icon: FoldHorizontal },
  { action: "alignLeft", icon: AlignLeft },
  { action: "alignCenter", icon: AlignCenter },
  { action: "alignRight", icon: AlignRight },
];

interface TableToolsProps {
  view: EditorView;
}

/** Rows, columns and alignment, while the cursor is in a table. */
function TableTools({ view }: TableToolsProps): VNode | null {
  if (findTable(view) === null) return null;
  return (
    <div class="toolbar" role="toolbar" aria-label={tableText("title")} onKeyDown={moveFocus}>
      {TABLE_TOOLS.map(({ action, icon }, at) => (
        <button
          key={action}
          type="button"
          class="icon"
          title={tableText(action)}
          aria-label={tableText(action)}
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
function findTable({ state }: EditorView): { first: number; last: number } | null {
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
  const table = findTable(view);
  if (table === null) return;
  const { doc, selection } = view.state;
  const { head } = selection.main;
  const line = doc.lineAt(head);
  const lines: string[] = [];
  for (let at = table.first; at <= table.last; at += 1) lines.push(doc.line(at).text);
  const cell = { row: line.number - table.first, column: findColumn(line.text, head - line.from) };
  const edited = editTable(lines, cell, action);
  if (edited === null) return;
  const { from } = doc.line(table.first);
  const { row, column } = edited.cell;
  const before = edited.lines.slice(0, row).reduce((sum, text) => sum + text.length + 1, 0);
  view.dispatch({
    changes: { from, to: doc.line(table.last).to, insert: edited.lines.join("\n") },
    selection: { anchor: from + before + cellOffset(edited.lines[row] ?? "", column) },
    scrollIntoView: true,
    userEvent: "input.format",
  });
  view.focus();
}
