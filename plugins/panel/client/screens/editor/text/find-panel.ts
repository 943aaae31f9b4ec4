import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Prec, StateEffect } from "@codemirror/state";
import { keymap, type EditorView } from "@codemirror/view";

const equipped = new WeakSet<EditorView>();

/** Searches and replaces in the text. */
export function openFindPanel(view: EditorView): void {
  if (!equipped.has(view)) {
    equipped.add(view);
    const keys = Prec.highest(keymap.of(searchKeymap));
    view.dispatch({ effects: StateEffect.appendConfig.of([search({ top: true }), keys]) });
  }
  openSearchPanel(view);
}
