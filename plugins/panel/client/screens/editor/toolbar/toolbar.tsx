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
  Ellipsis,
  Table,
  Undo2,
  type IconNode,
} from "lucide";
import { redo, undo } from "@codemirror/commands";
import type { EditorView } from "@codemirror/view";
import type { VNode } from "preact";
import { openWithKeys } from "../../../parts/early-keys.js";
import { Icon } from "../../../parts/icon.js";
import type { SlashActions } from "../blocks/block.js";
import { t } from "../editor-texts.js";
import { insertTable, toggleInline, toggleLines } from "./formatting.js";

/** Properties of the toolbar. */
export interface ToolbarProps extends SlashActions {
  view(): EditorView | null;
  /** Source path of the page; null for a text that belongs to none. */
  path(): string | null;
}
type Label = Parameters<typeof t>[0];
interface Tool {
  readonly label: Label;
  readonly icon: IconNode;
  run(view: EditorView, button: HTMLElement): void;
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

/** Buttons above the text; arrow keys move between them. */
export default function Toolbar({ view, onLink, onImage, path }: ToolbarProps): VNode {
  const tools: readonly Tool[] = [
    ...formats,
    { label: "format.link", icon: Link, run: onLink },
    ...(onImage === null ? [] : [{ label: "format.image", icon: Image, run: onImage } as const]),
    { label: "format.undo", icon: Undo2, run: undo },
    { label: "format.redo", icon: Redo2, run: redo },
    {
      label: "format.more",
      icon: Ellipsis,
      run: (editor, button) => {
        void openWithKeys(
          () => import("./writing-menu.js"),
          ({ openWritingMenu }) => openWritingMenu(editor, { anchor: button, path }),
        );
      },
    },
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
          onClick={({ currentTarget }) => {
            const editor = view();
            if (editor !== null) run(editor, currentTarget);
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
