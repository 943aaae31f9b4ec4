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
import type { VNode } from "preact";
import { Icon } from "../../parts/icon.js";
import { t } from "./editor-texts.js";
import { insertBlock, TABLE, toggleInline, toggleLines } from "./formatting.js";

/** What the toolbar drives. */
export interface ToolbarProps {
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

/** Buttons above the text; arrow keys move between them. */
export default function Toolbar({ view, onLink, onImage }: ToolbarProps): VNode {
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
