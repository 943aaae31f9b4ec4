/**
 * The fences of a code block: while the cursor is elsewhere, the first shows the language, which a press
 * changes, and the last is an empty line.
 */
import { syntaxTree } from "@codemirror/language";
import type { Extension, Range } from "@codemirror/state";
import {
  Decoration,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type EditorView,
} from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { ChevronDown, createElement } from "lucide";
import { t } from "../../text/tool-texts.js";
import { isTouched } from "../block.js";
import { languageName, openLanguageMenu } from "./languages.js";
import { languageChange, languageOf, restOf } from "./source.js";

/** The extension. */
export function codeFences(): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorate(view);
      }
      update(update: { view: EditorView; docChanged: boolean }): void {
        this.decorations = decorate(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

function decorate(view: EditorView): DecorationSet {
  const decorations: Range<Decoration>[] = [];
  const { state } = view;
  for (const visible of view.visibleRanges) {
    syntaxTree(state).iterate({
      ...visible,
      enter: ({ node }) => {
        if (node.name === "FencedCode") decorations.push(...fencesOf(node, view));
        return node.name !== "FencedCode";
      },
    });
  }
  return Decoration.set(decorations, true);
}

function fencesOf(node: SyntaxNode, { state }: EditorView): Range<Decoration>[] {
  const first = state.doc.lineAt(node.from);
  const decorations = [Decoration.line({ class: "md-fence-first" }).range(first.from)];
  if (!isTouched(state, first.from, first.to)) {
    const fence = state.sliceDoc(node.from, first.to);
    const widget = new FenceWidget(languageOf(fence), restOf(fence), state.readOnly);
    decorations.push(Decoration.replace({ widget }).range(node.from, first.to));
  }
  const mark = node.lastChild;
  const last = state.doc.lineAt(node.to);
  if (mark?.name !== "CodeMark" || last.number === first.number) return decorations;
  decorations.push(Decoration.line({ class: "md-fence-last" }).range(last.from));
  if (!isTouched(state, last.from, last.to)) {
    decorations.push(Decoration.replace({}).range(mark.from, mark.to));
  }
  return decorations;
}

class FenceWidget extends WidgetType {
  readonly language: string;
  readonly rest: string;
  readonly isReadOnly: boolean;

  constructor(language: string, rest: string, isReadOnly: boolean) {
    super();
    this.language = language;
    this.rest = rest;
    this.isReadOnly = isReadOnly;
  }

  override eq(other: FenceWidget): boolean {
    return (
      other.language === this.language &&
      other.rest === this.rest &&
      other.isReadOnly === this.isReadOnly
    );
  }

  toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement("span");
    dom.className = "md-fence";
    dom.contentEditable = "false";
    const label = this.language === "" ? t("code.plain") : languageName(this.language);
    const button = document.createElement(this.isReadOnly ? "span" : "button");
    button.className = "md-fence-language";
    button.append(label);
    if (button instanceof HTMLButtonElement) {
      button.type = "button";
      // The text is one stop for Tab; the key for the menu of a block leads here too.
      button.tabIndex = -1;
      button.setAttribute("aria-label", t("code.language.of", { name: label }));
      button.setAttribute("aria-haspopup", "listbox");
      button.append(createElement(ChevronDown, { width: 13, height: 13, "aria-hidden": "true" }));
      button.addEventListener("mousedown", (event) => event.preventDefault());
      button.addEventListener("click", () => chooseLanguage(view, view.posAtDOM(dom), button));
    }
    dom.append(button);
    if (this.rest !== "") {
      const rest = document.createElement("span");
      rest.className = "md-fence-rest";
      rest.textContent = this.rest;
      dom.append(rest);
    }
    return dom;
  }
}

/** Opens the list of languages for the code block whose fence is at a position. */
export function chooseLanguage(view: EditorView, position: number, anchor: Element): void {
  const at = view.state.doc.lineAt(position).number;
  const choose = (name: string): void => {
    const line = view.state.doc.line(at);
    const change = languageChange(line.text, name);
    if (change !== null) {
      const { from, to, insert } = change;
      view.dispatch({
        changes: { from: line.from + from, to: line.from + to, insert },
        userEvent: "input",
      });
    }
    view.focus();
  };
  openLanguageMenu(anchor, choose, () => view.focus());
}
