import {
  autocompletion,
  completionKeymap,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { Prec, StateEffect } from "@codemirror/state";
import { keymap, type EditorView } from "@codemirror/view";
import { t } from "../editor-texts.js";
import { insertBlock, TABLE, toggleLines } from "../toolbar/formatting.js";

/** Dialogs that a command opens. */
export interface SlashActions {
  onLink(): void;
  onImage(): void;
}

/** Adds the menu to the text editor and opens it. */
export function openSlashMenu(view: EditorView, actions: SlashActions): void {
  view.dispatch({
    effects: StateEffect.appendConfig.of([
      autocompletion({ override: [slashCommands(actions)], icons: false, interactionDelay: 0 }),
      Prec.highest(keymap.of(completionKeymap)),
    ]),
  });
  startCompletion(view);
}

/** Completes `/` at the start of a line to a block: heading, list, table, picture. */
function slashCommands(
  actions: SlashActions,
): (context: CompletionContext) => CompletionResult | null {
  const options = commands(actions).map(({ label, run }): Completion => ({
    label: `/${label}`,
    displayLabel: label,
    apply: (view, _completion, from, to) => {
      view.dispatch({ changes: { from, to } });
      run(view);
    },
  }));
  return (context) => {
    const typed = context.matchBefore(/^\s*\/[\p{L} ]*/u);
    if (typed === null) return null;
    const from = typed.from + typed.text.indexOf("/");
    return { from, options, validFor: /^\/[\p{L} ]*$/u };
  };
}

interface SlashCommand {
  readonly label: string;
  run(view: EditorView): void;
}

function commands({ onLink, onImage }: SlashActions): readonly SlashCommand[] {
  const lines = (prefix: string) => toggleLines(() => prefix);
  return [
    { label: t("format.heading2"), run: lines("## ") },
    { label: t("format.heading3"), run: lines("### ") },
    { label: t("format.list"), run: lines("- ") },
    { label: t("format.numbers"), run: toggleLines((at) => `${at + 1}. `) },
    { label: t("format.tasks"), run: lines("- [ ] ") },
    { label: t("format.quote"), run: lines("> ") },
    { label: t("format.codeBlock"), run: (view) => insertBlock(view, "```\n\n```", 4) },
    { label: t("format.table"), run: (view) => insertBlock(view, TABLE, 2) },
    { label: t("format.rule"), run: (view) => insertBlock(view, "---") },
    { label: t("format.image"), run: onImage },
    { label: t("format.link"), run: onLink },
  ];
}
