/** The menu of blocks that `/` opens at the start of a line. */
import {
  autocompletion,
  completionKeymap,
  completionStatus,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { Prec, StateEffect } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { createElement } from "lucide";
import { slashEntries } from "./all-blocks.js";
import { SLASH_GROUPS, type SlashActions, type SlashEntry } from "./block.js";
import { t } from "./block-texts.js";
import { findEntries } from "./slash-search.js";

/** Adds the menu to the text editor and opens it; resolves when its entries are shown, or none match. */
export async function openSlashMenu(view: EditorView, actions: SlashActions): Promise<void> {
  const menu = new SlashMenu(actions);
  let show = (): void => undefined;
  const shown = new Promise<void>((resolve) => (show = resolve));
  view.dispatch({
    effects: StateEffect.appendConfig.of([
      autocompletion({
        override: [(context) => menu.find(context)],
        icons: false,
        interactionDelay: 0,
        activateOnTypingDelay: 0,
        maxRenderedOptions: 60,
        tooltipClass: () => "slash-menu",
        addToOptions: [
          { render: (completion) => menu.icon(completion), position: 20 },
          { render: (completion) => menu.hint(completion), position: 60 },
        ],
      }),
      Prec.highest(keymap.of(completionKeymap)),
      EditorView.updateListener.of(({ state, startState }) => {
        const status = completionStatus(state);
        const hasEnded = status === null && completionStatus(startState) !== null;
        if (status === "active" || hasEnded) show();
      }),
    ]),
  });
  if (startCompletion(view)) await shown;
}

class SlashMenu {
  readonly #actions: SlashActions;
  readonly #entries = new WeakMap<Completion, SlashEntry>();

  constructor(actions: SlashActions) {
    this.#actions = actions;
  }

  /** The entries that what is typed finds: in groups until something is typed, then best first. */
  find(context: CompletionContext): CompletionResult | null {
    const typed = context.matchBefore(/^\s*\/[^/]{0,40}$/);
    if (typed === null) return null;
    const from = typed.from + typed.text.indexOf("/");
    const words = context.state.sliceDoc(from + 1, context.pos);
    const hasImages = this.#actions.onImage !== null;
    const entries = slashEntries().filter(({ needsImages }) => hasImages || needsImages !== true);
    const found = findEntries(entries, words);
    if (found.length === 0) return null;
    return {
      from,
      filter: false,
      options: found.map((entry) => this.#option(entry, words === "")),
      update: (_current, _from, _to, next) => this.find(next),
    };
  }

  icon(completion: Completion): Node | null {
    const icon = this.#entries.get(completion)?.icon;
    if (icon === undefined) return null;
    const frame = document.createElement("span");
    frame.className = "slash-icon";
    frame.append(createElement(icon, { width: 18, height: 18, "aria-hidden": "true" }));
    return frame;
  }

  hint(completion: Completion): Node | null {
    const hint = this.#entries.get(completion)?.hint ?? "";
    if (hint === "") return null;
    const line = document.createElement("span");
    line.className = "slash-hint";
    line.textContent = hint;
    return line;
  }

  #option(entry: SlashEntry, isGrouped: boolean): Completion {
    const { label, group } = entry;
    const completion: Completion = {
      label,
      apply: (view, _completion, from, to) => {
        view.dispatch({ changes: { from, to }, userEvent: "input.complete" });
        entry.run(view, this.#actions);
      },
      ...(isGrouped && {
        section: { name: t(`group.${group}`), rank: SLASH_GROUPS.indexOf(group) },
      }),
    };
    this.#entries.set(completion, entry);
    return completion;
  }
}
