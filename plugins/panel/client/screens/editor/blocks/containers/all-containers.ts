/** Draws the containers and alerts of the text; loaded with the first one. */
import { syntaxTree } from "@codemirror/language";
import type { EditorState, Text } from "@codemirror/state";
import type { Tree } from "@lezer/common";
import type { BlockView } from "../block.js";
import { buttonsView } from "./buttons.js";
import { findContainers, readHead, type Container } from "./container-source.js";
import type { ContainerView, Drawing } from "./container-view.js";
import { galleryView } from "./gallery.js";
import { drawNotice, noticeView } from "./notice.js";
import { tabsView } from "./tabs.js";

const VIEWS: ReadonlyMap<string, ContainerView> = new Map(
  [noticeView, tabsView, galleryView, buttonsView].flatMap((view) =>
    view.names.map((name) => [name, view]),
  ),
);

const cached = new WeakMap<Tree, { doc: Text; containers: readonly Container[] }>();

function containersOf(state: EditorState, tree: Tree): readonly Container[] {
  const known = cached.get(tree);
  if (known?.doc === state.doc) return known.containers;
  const containers = findContainers(state, tree);
  cached.set(tree, { doc: state.doc, containers });
  return containers;
}

/** Containers and alerts, at the top level and in each other; those in lists and quotes stay text. */
export const containerViews: BlockView = {
  decorate: () => [],
  decorateText(state) {
    const tree = syntaxTree(state);
    const drawing: Drawing = { state, tree, decorations: [], covered: [] };
    for (const container of containersOf(state, tree)) draw(container, drawing);
    for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
      if (node.name !== "Blockquote") continue;
      const { from, text } = state.doc.lineAt(node.from);
      if (readHead(text)?.isAlert !== true) continue;
      drawNotice({ from, to: node.to }, drawing);
    }
    return drawing;
  },
};

function draw(container: Container, drawing: Drawing): void {
  const view = VIEWS.get(container.name);
  if (view !== undefined) {
    const count = drawing.covered.length;
    view.draw(container, drawing);
    if (drawing.covered.length > count) return;
  }
  for (const child of container.children) draw(child, drawing);
}
