/** Shows blocks of the text in place of their Markdown. What draws a kind of block is loaded with the first one. */
import { syntaxTree } from "@codemirror/language";
import {
  Prec,
  StateEffect,
  StateField,
  type EditorState,
  type Extension,
  type Range,
} from "@codemirror/state";
import {
  Decoration,
  EditorView,
  ViewPlugin,
  keymap,
  type DecorationSet,
  type KeyBinding,
} from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import {
  blockActions,
  isFigure,
  refreshBlocks,
  type BlockView,
  type SlashActions,
} from "./block.js";

/** Kinds of blocks that are shown in place of their Markdown; each loads its view. */
const LOADERS = {
  table: () => import("./table/view.js").then(({ tableView }) => tableView),
  picture: () => import("./picture-figure.js").then(({ pictureView }) => pictureView),
  container: () =>
    import("./containers/all-containers.js").then(({ containerViews }) => containerViews),
} satisfies Readonly<Record<string, () => Promise<BlockView>>>;
type Kind = keyof typeof LOADERS;

/** The kind of a block at the top level of the text; null: it is text. */
function kindOf(node: SyntaxNode, state: EditorState): Kind | null {
  if (node.name === "Table") return "table";
  if (isFigure(node)) return "picture";
  return /^(?::::|> ?\[!)/.test(state.sliceDoc(node.from, node.from + 4)) ? "container" : null;
}

const loaded = StateEffect.define<{ readonly kind: Kind; readonly view: BlockView }>();

interface Shown {
  readonly views: ReadonlyMap<Kind, BlockView>;
  readonly decorations: DecorationSet;
  /** Kinds of blocks in the text whose view is not loaded. */
  readonly missing: ReadonlySet<Kind>;
}

// Replacing line ends changes the layout: such decorations come from the state, not from a plugin of the view.
const shown = StateField.define<Shown>({
  create: (state) => show(state, new Map()),
  update(value, transaction) {
    let { views } = value;
    for (const effect of transaction.effects) {
      if (effect.is(loaded)) views = new Map([...views, [effect.value.kind, effect.value.view]]);
    }
    const { state, startState } = transaction;
    const isSame =
      views === value.views &&
      !transaction.docChanged &&
      !transaction.effects.some((effect) => effect.is(refreshBlocks)) &&
      transaction.selection === undefined &&
      syntaxTree(state) === syntaxTree(startState);
    return isSame ? value : show(state, views);
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function show(state: EditorState, views: ReadonlyMap<Kind, BlockView>): Shown {
  const decorations: Range<Decoration>[] = [];
  const missing = new Set<Kind>();
  const drawn = [...views.values()].flatMap((view) => view.decorateText?.(state) ?? []);
  const covered = drawn.flatMap((one) => one.covered);
  decorations.push(...drawn.flatMap((one) => one.decorations));
  for (let node = syntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling) {
    const { from, to } = node;
    const kind = kindOf(node, state);
    if (kind === null || covered.some((one) => one.from <= from && one.to >= to)) continue;
    const view = views.get(kind);
    if (view === undefined) missing.add(kind);
    else decorations.push(...view.decorate(node, state));
  }
  return { views, missing, decorations: Decoration.set(decorations, true) };
}

/** The extension; a view that cannot be loaded leaves the Markdown as it is. */
export function blockViews(actions: SlashActions): Extension {
  const asked = new Set<Kind>();
  const load = (view: EditorView): void => {
    for (const kind of view.state.field(shown).missing) {
      if (asked.has(kind)) continue;
      asked.add(kind);
      void LOADERS[kind]().then(
        (block: BlockView) => {
          view.dispatch({
            effects: [
              loaded.of({ kind, view: block }),
              ...(block.extension ? [StateEffect.appendConfig.of(block.extension)] : []),
            ],
          });
        },
        () => asked.delete(kind),
      );
    }
  };
  // A plugin is created with the view: the first text is there before any update.
  const loader = ViewPlugin.define((view) => {
    load(view);
    return { update: ({ view: updated }) => load(updated) };
  });
  // A block replaces the marks that are hidden otherwise.
  return [blockActions.of(actions), Prec.high(shown), loader, Prec.high(keymap.of(arrows))];
}

/** The text editor would step over what is replaced: an arrow key beside a block goes into it. */
const arrows: readonly KeyBinding[] = [
  { key: "ArrowDown", run: (view) => enter(view, 1) },
  { key: "ArrowUp", run: (view) => enter(view, -1) },
];

function enter(view: EditorView, side: 1 | -1): boolean {
  const { doc, selection } = view.state;
  const { main } = selection;
  const number = doc.lineAt(main.head).number + side;
  if (!main.empty || number < 1 || number > doc.lines) return false;
  const line = doc.line(number);
  let anchor: number | null = null;
  view.state.field(shown).decorations.between(line.from, line.to, (from, to) => {
    // A block that ends above this line, or begins below it, is another one.
    if (from < to && from <= line.to && to >= line.from) anchor = side === 1 ? from : to;
  });
  if (anchor === null) return false;
  view.dispatch({ selection: { anchor }, scrollIntoView: true, userEvent: "select" });
  return true;
}
