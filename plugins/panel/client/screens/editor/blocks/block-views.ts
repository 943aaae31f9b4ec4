/** Shows blocks of the text in place of their Markdown. What draws a kind of block is loaded with the first one. */
import { syntaxTree } from "@codemirror/language";
import {
  StateEffect,
  StateField,
  type EditorState,
  type Extension,
  type Range,
} from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type DecorationSet } from "@codemirror/view";
import type { BlockView } from "./block.js";

/** By the names of syntax nodes; each loads the view of its blocks. */
const LOADERS: Readonly<Record<string, () => Promise<BlockView>>> = {
  Table: () => import("./table-grid.js").then(({ tableView }) => tableView),
};

const loaded = StateEffect.define<{ readonly name: string; readonly view: BlockView }>();

interface Shown {
  readonly views: ReadonlyMap<string, BlockView>;
  readonly decorations: DecorationSet;
  /** Names of blocks in the text whose view is not loaded. */
  readonly missing: ReadonlySet<string>;
}

// Replacing line ends changes the layout: such decorations come from the state, not from a plugin of the view.
const shown = StateField.define<Shown>({
  create: (state) => show(state, new Map()),
  update(value, transaction) {
    let { views } = value;
    for (const effect of transaction.effects) {
      if (effect.is(loaded)) views = new Map([...views, [effect.value.name, effect.value.view]]);
    }
    const { state, startState } = transaction;
    const isSame =
      views === value.views &&
      !transaction.docChanged &&
      transaction.selection === undefined &&
      syntaxTree(state) === syntaxTree(startState);
    return isSame ? value : show(state, views);
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function show(state: EditorState, views: ReadonlyMap<string, BlockView>): Shown {
  const decorations: Range<Decoration>[] = [];
  const missing = new Set<string>();
  for (let node = syntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling) {
    if (!Object.hasOwn(LOADERS, node.name)) continue;
    const view = views.get(node.name);
    if (view === undefined) missing.add(node.name);
    else decorations.push(...view.decorate(node, state));
  }
  return { views, missing, decorations: Decoration.set(decorations, true) };
}

/** The extension; a view that cannot be loaded leaves the Markdown as it is. */
export function blockViews(): Extension {
  const asked = new Set<string>();
  const load = (view: EditorView): void => {
    for (const name of view.state.field(shown).missing) {
      if (asked.has(name)) continue;
      asked.add(name);
      void LOADERS[name]?.().then(
        (block) => {
          view.dispatch({
            effects: [
              loaded.of({ name, view: block }),
              ...(block.extension ? [StateEffect.appendConfig.of(block.extension)] : []),
            ],
          });
        },
        () => asked.delete(name),
      );
    }
  };
  // A plugin is created with the view: the first text is there before any update.
  const loader = ViewPlugin.define((view) => {
    load(view);
    return { update: ({ view: updated }) => load(updated) };
  });
  return [shown, loader];
}
