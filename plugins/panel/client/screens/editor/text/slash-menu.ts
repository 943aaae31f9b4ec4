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
  const options = commands(actions).map(([label, run]): Completion => ({
    label: `/${label}`,
    displayLabel: label,
    apply: (...[view, , from, to]) => {
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

function commands({ onLink, onImage }: SlashActions): [string, (view: EditorView) => void][] {
  const lines = (prefix: string) => toggleLines(() => prefix);
  return [
    [t("format.heading2"), lines("## ")],
    [t("format.heading3"), lines("### ")],
    [t("format.list"), lines("- ")],
    [t("format.numbers"), toggleLines((at) => `${at + 1}. `)],
    [t("format.tasks"), lines("- [ ] ")],
    [t("format.quote"), lines("> ")],
    [t("format.codeBlock"), (view) => insertBlock(view, "```\n\n```", 4)],
    [t("format.table"), (view) => insertBlock(view, TABLE, 2)],
    [t("format.rule"), (view) => insertBlock(view, "---")],
    [t("format.image"), onImage],
    [t("format.link"), onLink],
  ];
}
