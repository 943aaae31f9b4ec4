/** Tabs: texts of which readers see one. */
import { Decoration, WidgetType, type EditorView } from "@codemirror/view";
import { ArrowDown, ArrowUp, FileText, PanelTop, Plus, Trash2 } from "lucide";
import { syntaxTree } from "@codemirror/language";
import { insertBlock } from "../../toolbar/formatting.js";
import { isTouched, type EditorBlock } from "../block.js";
import { blockKeys, goTo, iconButton, iconElement, showValue, textField } from "../block-parts.js";
import { t } from "../block-texts.js";
import {
  addTab,
  findContainers,
  readHead,
  swapped,
  tabText,
  titleChange,
  withoutLines,
  type Container,
} from "./container-source.js";
import { drawLines, hideClosing, type ContainerView } from "./container-view.js";

/** Tabs. The first title is selected. */
export const tabsBlock: EditorBlock = {
  name: "tabs",
  entries: [
    {
      label: t("tabs"),
      hint: t("tabs.hint"),
      synonyms: "switch reiter karteikarten",
      icon: PanelTop,
      group: "layout",
      run: (view) => {
        const [first, second] = [1, 2].map((n) => t("tabs.title", { n }));
        const open = ":::: tabs\n::: tab ";
        const text = `:::: tabs\n${tabText(first ?? "", 3)}${tabText(second ?? "", 3)}::::`;
        insertBlock(view, text, open.length, first?.length ?? 0);
      },
    },
  ],
};

/** The line that opens a group of tabs, or one of them, while the cursor is elsewhere. */
class TabWidget extends WidgetType {
  readonly kind: "tabs" | "tab";
  readonly title: string;
  readonly isReadOnly: boolean;

  constructor(kind: "tabs" | "tab", title: string, isReadOnly: boolean) {
    super();
    this.kind = kind;
    this.title = title;
    this.isReadOnly = isReadOnly;
  }

  override eq(other: TabWidget): boolean {
    return (
      other.kind === this.kind && other.title === this.title && other.isReadOnly === this.isReadOnly
    );
  }

  toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement("span");
    dom.className = "md-box-head";
    dom.contentEditable = "false";
    dom.dataset["kind"] = this.kind;
    const line = () => view.state.doc.lineAt(view.posAtDOM(dom));
    if (this.kind === "tabs") {
      const label = document.createElement("span");
      label.className = "md-card-label";
      label.textContent = t("tabs");
      dom.append(iconElement(PanelTop, 18), label);
    } else {
      const title = textField(t("tab.title"), t("tab.title"), (value) => {
        const changes = titleChange(line(), value);
        if (changes !== null) view.dispatch({ changes, userEvent: "input.type" });
      });
      title.readOnly = this.isReadOnly;
      dom.append(title);
    }
    if (!this.isReadOnly) {
      const tools = this.kind === "tabs" ? groupTools(view, line) : tabTools(view, line);
      dom.append(
        ...tools,
        iconButton(t("source"), FileText, () => goTo(view, line().to)),
      );
    }
    blockKeys(view, dom, () => line().to);
    this.updateDOM(dom);
    return dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    if (dom.dataset["kind"] !== this.kind) return false;
    const title = dom.querySelector("input");
    if (title !== null) showValue(title, this.title);
    return true;
  }
}

type FindLine = () => { readonly from: number };

function groupTools(view: EditorView, line: FindLine): HTMLElement[] {
  const add = iconButton(t("tab.add"), Plus, () => {
    const group = groupAt(view, line().from);
    if (group === null) return;
    const title = t("tabs.title", { n: group.children.length + 1 });
    const change = addTab(group, title);
    // Its title is selected.
    const anchor = change.from + change.insert.indexOf(title);
    view.dispatch({
      changes: change,
      selection: { anchor, head: anchor + title.length },
      scrollIntoView: true,
      userEvent: "input.insert",
    });
    view.focus();
  });
  return [add];
}

function tabTools(view: EditorView, line: FindLine): HTMLElement[] {
  const move = (by: -1 | 1): void => {
    const { from } = line();
    const tabs = groupAt(view, from)?.children ?? [];
    const at = tabs.findIndex((tab) => tab.from === from);
    const changes = swapped(view.state.doc, tabs, at, by);
    if (changes.length > 0) view.dispatch({ changes, userEvent: "move.line" });
  };
  return [
    iconButton(t("tab.up"), ArrowUp, () => move(-1)),
    iconButton(t("tab.down"), ArrowDown, () => move(1)),
    iconButton(t("tab.delete"), Trash2, () => {
      const { from } = line();
      const tab = groupAt(view, from)?.children.find((one) => one.from === from);
      if (tab === undefined) return;
      view.dispatch({ changes: withoutLines(view.state.doc, tab), userEvent: "delete" });
      view.focus();
    }),
  ];
}

/** The group of tabs that begins at a line, or has a tab there. */
function groupAt({ state }: EditorView, from: number): Container | null {
  const within = (containers: readonly Container[]): Container | null => {
    for (const one of containers) {
      const isGroup = one.name === "tabs";
      if (isGroup && (one.from === from || one.children.some((tab) => tab.from === from))) {
        return one;
      }
      const inner = within(one.children);
      if (inner !== null) return inner;
    }
    return null;
  };
  return within(findContainers(state, syntaxTree(state)));
}

/** Groups of tabs, and the tabs in them. */
export const tabsView: ContainerView = {
  names: ["tabs", "tab"],
  draw(container, drawing) {
    const { name, from, to } = container;
    const { state, decorations } = drawing;
    hideClosing(container, drawing);
    const line = state.doc.lineAt(from);
    const kind = name === "tabs" ? "tabs" : "tab";
    drawLines({ from, to }, `md-box md-box-${kind}`, { state, decorations });
    if (isTouched(state, line.from, line.to)) return;
    const widget = new TabWidget(kind, readHead(line.text)?.title ?? "", state.readOnly);
    decorations.push(Decoration.replace({ widget }).range(line.from, line.to));
  },
};
