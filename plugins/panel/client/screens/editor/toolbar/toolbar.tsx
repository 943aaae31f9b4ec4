import {
  Bold,
  Code,
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
import { Icon } from "../../../parts/icon.js";
import { t } from "../editor-texts.js";
import type { EditSession } from "../saving/edit-session.js";
import { insertBlock, TABLE, toggleInline, toggleLines } from "./formatting.js";
import { TableTools } from "./table-tools.js";
import { moveFocus } from "./toolbar-focus.js";

/** What the toolbar drives. */
export interface ToolbarProps {
  session: EditSession;
  /** Line of the cursor. */
  line: Signal<number>;
  view(): EditorView | null;
  onLink(): void;
  onImage(): void;
}
type Label = Parameters<typeof t>[0];
type Tool = readonly [Label, IconNode, (view: EditorView) => void];

const formats: readonly Tool[] = [
  ["format.bold", Bold, toggleInline("**")],
  ["format.italic", Italic, toggleInline("*")],
  ["format.code", Code, toggleInline("`")],
  ["format.heading2", Heading2, toggleLines(() => "## ")],
  ["format.heading3", Heading3, toggleLines(() => "### ")],
  ["format.list", List, toggleLines(() => "- ")],
  ["format.numbers", ListOrdered, toggleLines((at) => `${at + 1}. `)],
  ["format.tasks", ListChecks, toggleLines(() => "- [ ] ")],
  ["format.quote", Quote, toggleLines(() => "> ")],
  ["format.table", Table, (view) => insertBlock(view, TABLE, 2)],
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
  // What the cursor is in depends on both.
  void [session.text.revision.value, line.value];
  const editor = view();
  return editor === null ? null : <TableTools view={editor} />;
}

/** Arrow keys move between them. */
function Formats({ view, onLink, onImage }: ToolbarProps): VNode {
  const tools: readonly Tool[] = [
    ...formats,
    ["format.link", Link, onLink],
    ["format.image", Image, onImage],
    ["format.undo", Undo2, undo],
    ["format.redo", Redo2, redo],
  ];
  return (
    <div class="toolbar" role="toolbar" aria-label={t("format")} onKeyDown={moveFocus}>
      {tools.map(([label, icon, run], at) => (
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
