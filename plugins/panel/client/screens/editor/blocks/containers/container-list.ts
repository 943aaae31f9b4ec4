/** A container whose content is a list of pictures or of links: items with fields, which are added, moved and removed. */
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { Decoration, WidgetType, type EditorView } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { FileText, Trash2, type IconNode } from "lucide";
import { isTouched } from "../block.js";
import { blockKeys, goTo, iconButton } from "../block-parts.js";
import { t } from "../block-texts.js";
import {
  findContainers,
  itemsOf,
  swapped,
  withoutItem,
  type Container,
  type TextRange,
} from "./container-source.js";
import type { ContainerView, Drawing } from "./container-view.js";
import { textChange } from "../picture-source.js";

/** The node of an item in the text; null when the text has no such item any more. */
export type FindItem = () => SyntaxNode | null;

/** How a list of items is shown. */
export interface ContainerList<Item> {
  /** Name of the container. */
  readonly name: string;
  readonly node: "Image" | "Link";
  /** Class of the element. */
  readonly className: string;
  readonly icons: { readonly before: IconNode; readonly after: IconNode };
  /** Height of the list before it is drawn, in pixels. */
  height(count: number): number;
  /** Names of the list and of its buttons. */
  readonly texts: {
    list(n: number): string;
    add(): string;
    before(n: number): string;
    after(n: number): string;
    remove(n: number): string;
  };
  /** Reads an item; null: the container is shown as text. */
  read(node: SyntaxNode, state: EditorState): Item | null;
  /** Draws what stands before the buttons; `find` is for its fields, and null when nothing may be changed. */
  create(item: HTMLElement, n: number, editing: { view: EditorView; find: FindItem } | null): void;
  show(item: HTMLElement, value: Item): void;
  add(view: EditorView, place: { container: Container; last: SyntaxNode | null }): void;
}

/** The view of a container that is a list; one that has something else is shown as text. */
export function listView<Item>(list: ContainerList<Item>): ContainerView {
  return {
    names: [list.name],
    draw(container, drawing) {
      const { state, tree } = drawing;
      const items = itemsOf(state, tree, container, list.node)?.map((node) =>
        list.read(node, state),
      );
      if (items === undefined || items.includes(null)) return;
      const shown = items.filter((item) => item !== null);
      replaceLines(container, new ListWidget(list, shown, state.readOnly), drawing);
    },
  };
}

/** Shows a widget in place of lines, and below them while the cursor is in them. */
function replaceLines({ from, to }: TextRange, widget: WidgetType, drawing: Drawing): void {
  drawing.decorations.push(
    isTouched(drawing.state, from, to)
      ? Decoration.widget({ widget, block: true, side: 1 }).range(to)
      : Decoration.replace({ widget, block: true }).range(from, to),
  );
  drawing.covered.push({ from, to });
}

class ListWidget<Item> extends WidgetType {
  readonly list: ContainerList<Item>;
  readonly items: readonly Item[];
  readonly isReadOnly: boolean;

  constructor(list: ContainerList<Item>, items: readonly Item[], isReadOnly: boolean) {
    super();
    this.list = list;
    this.items = items;
    this.isReadOnly = isReadOnly;
  }

  override eq(other: ListWidget<Item>): boolean {
    return (
      other.list === this.list &&
      other.isReadOnly === this.isReadOnly &&
      JSON.stringify(other.items) === JSON.stringify(this.items)
    );
  }

  override get estimatedHeight(): number {
    return this.list.height(this.items.length);
  }

  toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement("div");
    dom.className = this.list.className;
    dom.contentEditable = "false";
    dom.setAttribute("role", "group");
    dom.append(document.createElement("ul"));
    const find = () => listAt(view, dom, this.list);
    if (!this.isReadOnly) dom.append(this.#tools(view, find));
    blockKeys(view, dom, () => find()?.container.to ?? view.posAtDOM(dom));
    this.#show(dom, view);
    return dom;
  }

  override updateDOM(dom: HTMLElement, view: EditorView): boolean {
    if (dom.className !== this.list.className) return false;
    this.#show(dom, view);
    return true;
  }

  #tools(view: EditorView, find: () => FoundList | null): HTMLElement {
    const row = document.createElement("div");
    row.className = "md-list-tools";
    const add = document.createElement("button");
    add.type = "button";
    add.append(this.list.texts.add());
    add.addEventListener("click", () => {
      const found = find();
      if (found === null) return;
      this.list.add(view, { container: found.container, last: found.items.at(-1) ?? null });
    });
    const source = iconButton(t("source"), FileText, () => {
      const found = find();
      if (found !== null) goTo(view, view.state.doc.lineAt(found.container.from).to);
    });
    row.append(add, source);
    return row;
  }

  #show(dom: HTMLElement, view: EditorView): void {
    dom.setAttribute("aria-label", this.list.texts.list(this.items.length));
    const list = dom.querySelector("ul");
    if (list === null) return;
    while (list.children.length > this.items.length) list.lastElementChild?.remove();
    for (const [at, value] of this.items.entries()) {
      const known = list.children[at];
      const item = known instanceof HTMLElement ? known : this.#item(dom, view, at);
      if (item !== known) list.append(item);
      this.list.show(item, value);
    }
  }

  #item(dom: HTMLElement, view: EditorView, at: number): HTMLElement {
    const item = document.createElement("li");
    const n = at + 1;
    const items = () => listAt(view, dom, this.list)?.items ?? [];
    const find = (): SyntaxNode | null => items()[at] ?? null;
    this.list.create(item, n, this.isReadOnly ? null : { view, find });
    if (this.isReadOnly) return item;
    const move = (by: -1 | 1): void => {
      const changes = swapped(view.state.doc, items(), at, by);
      if (changes.length === 0) return;
      view.dispatch({ changes, userEvent: "move.line" });
      // The focus follows the item.
      const moved = dom.querySelectorAll("li")[at + by];
      moved?.querySelectorAll("button")[by === -1 ? 0 : 1]?.focus();
    };
    const { icons, texts } = this.list;
    const tools = document.createElement("div");
    tools.className = "md-item-tools";
    tools.append(
      iconButton(texts.before(n), icons.before, () => move(-1)),
      iconButton(texts.after(n), icons.after, () => move(1)),
      iconButton(texts.remove(n), Trash2, () => {
        const node = find();
        if (node === null) return;
        view.dispatch({ changes: withoutItem(view.state.doc, node), userEvent: "delete" });
        const rest = [...dom.querySelectorAll("li")];
        const near = (rest[at] ?? rest.at(-1))?.querySelector("input");
        (near ?? dom.querySelector("button"))?.focus();
      }),
    );
    item.append(tools);
    return item;
  }
}

interface FoundList {
  readonly container: Container;
  readonly items: readonly SyntaxNode[];
}

/** The list that an element shows, as it is in the text now. */
function listAt<Item>(
  view: EditorView,
  dom: HTMLElement,
  { name, node }: ContainerList<Item>,
): FoundList | null {
  const { state } = view;
  const tree = syntaxTree(state);
  const position = view.posAtDOM(dom);
  const within = (containers: readonly Container[]): Container | null => {
    const outer = containers.find(({ from, to }) => from <= position && to >= position);
    if (outer === undefined || outer.name === name) return outer ?? null;
    return within(outer.children);
  };
  const container = within(findContainers(state, tree));
  const items = container === null ? null : itemsOf(state, tree, container, node);
  return container === null || items === null ? null : { container, items };
}

/** Writes the text of an item: what is equal stays as it is written. */
export function writeText(view: EditorView, range: TextRange | null, value: string): void {
  if (range === null) return;
  const change = textChange(view.state.sliceDoc(range.from, range.to), value, "]");
  if (change === null) return;
  const changes = { ...change, from: range.from + change.from, to: range.from + change.to };
  view.dispatch({ changes, userEvent: "input.type" });
}
