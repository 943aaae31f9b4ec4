/** Options for writing: focus mode and typographic quotes. Both are off by default. */
import { Compartment, StateEffect, type Extension, type Range } from "@codemirror/state";
import {
  Decoration,
  keymap,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from "@codemirror/view";
import { call } from "../../../api/request.js";
import { boot } from "../../../boot.js";
import { shownBlocks } from "../blocks/handle/ranges.js";
import { typographicQuotes } from "./typographic-quotes.js";

const QUOTES = "sitewright.panel.quotes";
const FOCUS = "is-focused-writing";

/** The options of one text editor. */
export interface WritingOptions {
  readonly extension: Extension;
  hasFocusMode(): boolean;
  hasQuotes(): boolean;
  toggleFocusMode(): void;
  toggleQuotes(): void;
}

const known = new WeakMap<EditorView, WritingOptions>();

/** The options of a text editor, added with their first use. */
export function writingOptions(view: EditorView, path: () => string | null): WritingOptions {
  const found = known.get(view);
  if (found !== undefined) return found;
  const quotes = new Compartment();
  const focus = new Compartment();
  let language = boot.languages[0] ?? "en";
  const loadLanguage = (): void => {
    const page = path();
    if (page === null) return;
    const params = { path: page };
    void call("GET /translations/*path", { params, isBackground: true }).then(
      ({ lang }) => (language = lang),
      () => undefined,
    );
  };
  const hasQuotes = (): boolean => localStorage.getItem(QUOTES) === "on";
  const quotesOf = (): Extension => (hasQuotes() ? typographicQuotes(() => language) : []);
  const hasFocusMode = (): boolean => document.documentElement.classList.contains(FOCUS);
  const toggleFocusMode = (): void => {
    document.documentElement.classList.toggle(FOCUS);
    const extension = hasFocusMode() ? activeBlock : [];
    view.dispatch({ effects: focus.reconfigure(extension) });
    view.focus();
  };
  const toggleQuotes = (): void => {
    if (hasQuotes()) localStorage.removeItem(QUOTES);
    else localStorage.setItem(QUOTES, "on");
    if (hasQuotes()) loadLanguage();
    view.dispatch({ effects: quotes.reconfigure(quotesOf()) });
    view.focus();
  };
  if (hasQuotes()) loadLanguage();
  const key = {
    key: "Mod-Shift-f",
    run: () => {
      if (path() === null) return false;
      toggleFocusMode();
      return true;
    },
  };
  // Focus mode ends with the page.
  const leaver = ViewPlugin.define(() => ({
    destroy: () => document.documentElement.classList.remove(FOCUS),
  }));
  const options = {
    extension: [quotes.of(quotesOf()), focus.of([]), keymap.of([key]), leaver],
    hasFocusMode,
    hasQuotes,
    toggleFocusMode,
    toggleQuotes,
  };
  known.set(view, options);
  view.dispatch({ effects: StateEffect.appendConfig.of(options.extension) });
  return options;
}

const active = Decoration.line({ class: "md-active" });

/** Marks the lines of the block that has the cursor; style sheets dim the others. */
const activeBlock = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }
    update({ view, docChanged, selectionSet, viewportChanged }: ViewUpdate): void {
      if (docChanged || selectionSet || viewportChanged) this.decorations = decorate(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function decorate({ state, visibleRanges }: EditorView): DecorationSet {
  const { head } = state.selection.main;
  const block = shownBlocks(state).find(({ from, to }) => from <= head && to >= head);
  const range = block ?? state.doc.lineAt(head);
  const lines: Range<Decoration>[] = [];
  for (const visible of visibleRanges) {
    const end = Math.min(range.to, visible.to);
    for (let at = Math.max(range.from, visible.from); at <= end;) {
      const line = state.doc.lineAt(at);
      lines.push(active.range(line.from));
      at = line.to + 1;
    }
  }
  return Decoration.set(lines, true);
}
