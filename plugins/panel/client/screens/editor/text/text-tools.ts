/** Loaded after the text editor is drawn; typing does not need it. */
import { StateEffect } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { blockHandles } from "../blocks/handle/handle.js";
import { blockCards } from "../blocks/cards.js";
import { codeFences } from "../blocks/code/fence.js";
import { writingOptions } from "./writing-options.js";
import { linkPopover, type LinkActions } from "./link-popover.js";

/** What the tools need from the screen. */
interface ToolActions extends LinkActions {
  /** Source path of the page; null for a text that belongs to none. */
  path(): string | null;
}

/** Adds the tools to a text editor. */
export function addTextTools(view: EditorView, actions: ToolActions): void {
  view.dispatch({
    effects: StateEffect.appendConfig.of([
      linkPopover(actions),
      codeFences(),
      blockHandles(),
      blockCards(),
    ]),
  });
  writingOptions(view, () => actions.path());
}
