/**
 * Markdown in the text editor: its language, and its formatting in place. Marks away from the cursor are
 * hidden and pictures are shown; the text stays.
 */
import { HighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import type { EditorState, Extension, Range } from "@codemirror/state";
import {
  Decoration,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from "@codemirror/view";
import type { SyntaxNode, SyntaxNodeRef } from "@lezer/common";
import { markdownLanguage } from "@codemirror/lang-markdown";
import { tags } from "@lezer/highlight";
import { siteHref } from "../../../boot.js";
import type { MediaItem } from "../../../api/answers.js";
import { isFigure, refreshBlocks } from "../blocks/block.js";

/** The address of a picture in the text; null when it is not known. */
export type ImageSource = (target: string) => string | null;

const hidden = Decoration.replace({});
const lineClasses: Readonly<Record<string, string>> = {
  FencedCode: "md-code-line",
  CodeBlock: "md-code-line",
  Blockquote: "md-quote-line",
  Table: "md-table-line",
};
const inlineMarks: ReadonlySet<string> = new Set([
  "EmphasisMark",
  "StrikethroughMark",
  "CodeMark",
  "LinkMark",
]);

/** The extension; `source` finds the address of pictures. */
export function liveMarkdown(source: ImageSource): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorate(view, source);
      }
      update(update: ViewUpdate): void {
        const isOther = syntaxTree(update.state) !== syntaxTree(update.startState);
        const isRefreshed = update.transactions.some(({ effects }) =>
          effects.some((effect) => effect.is(refreshBlocks)),
        );
        if (
          isRefreshed ||
          update.docChanged ||
          update.viewportChanged ||
          update.selectionSet ||
          isOther
        ) {
          this.decorations = decorate(update.view, source);
        }
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

function decorate(view: EditorView, source: ImageSource): DecorationSet {
  const decorations: Range<Decoration>[] = [];
  const { state } = view;
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter: (node) => {
        decorateNode(node, { state, source, decorations, visible: { from, to } });
      },
    });
  }
  return Decoration.set(decorations, true);
}

/** Positions in the text. */
interface TextRange {
  readonly from: number;
  readonly to: number;
}

interface Context {
  state: EditorState;
  source: ImageSource;
  /** Every decoration is added here. */
  decorations: Range<Decoration>[];
  visible: TextRange;
}

function decorateNode(node: SyntaxNodeRef, context: Context): void {
  const { state, decorations } = context;
  const lines = lineClasses[node.name];
  if (lines !== undefined) decorateLines(node, lines, context);
  else if (node.name === "HeaderMark") hideHeading(node, context);
  else if (inlineMarks.has(node.name)) hideMark(node, context);
  else if (node.name === "URL") hideTarget(node, context);
  else if (node.name === "Image") showImage(node, context);
  else if (node.name === "ListMark") showListMark(node, context);
  else if (node.name === "QuoteMark") hideQuoteMark(node, context);
  else if (node.name === "HorizontalRule" && !isTouched(state, node)) {
    decorations.push(Decoration.mark({ class: "md-rule" }).range(node.from, node.to));
  }
}

function decorateLines(
  node: SyntaxNodeRef,
  name: string,
  { state, decorations, visible }: Context,
): void {
  const decoration = Decoration.line({ class: name });
  const end = Math.min(node.to, visible.to);
  for (let at = Math.max(node.from, visible.from); at <= end;) {
    const line = state.doc.lineAt(at);
    decorations.push(decoration.range(line.from));
    at = line.to + 1;
  }
}

function hideHeading(node: SyntaxNodeRef, { state, decorations }: Context): void {
  const line = state.doc.lineAt(node.from);
  const isUnderline = node.from !== line.from || !line.text.startsWith("#");
  if (isUnderline || isTouched(state, line)) return;
  const space = state.sliceDoc(node.to, node.to + 1) === " " ? 1 : 0;
  decorations.push(hidden.range(node.from, node.to + space));
}

/** The mark of a list: a bullet, nothing beside a checkbox, or the number. */
function showListMark({ node, from, to }: SyntaxNodeRef, context: Context): void {
  const { state, decorations } = context;
  const task = node.parent === null ? null : taskOf(node.parent, state);
  const isNumber = node.parent?.parent?.name === "OrderedList";
  if (task !== null) {
    const widget = new Checkbox(task.isDone, task.label, state.readOnly);
    decorations.push(hidden.range(from, task.from));
    decorations.push(Decoration.replace({ widget }).range(task.from, task.to));
  } else if (isNumber || isTouched(state, { from, to })) {
    decorations.push(Decoration.mark({ class: "md-list-mark" }).range(from, to));
  } else decorations.push(bullet.range(from, to));
}

/** The task of an item of a list; null for another item, one without a text, or with the cursor in its marks. */
function taskOf(item: SyntaxNode, state: EditorState) {
  const marker = item.getChild("Task")?.getChild("TaskMarker");
  if (marker === undefined || marker === null) return null;
  const { from, to } = marker;
  const label = state.sliceDoc(to, state.doc.lineAt(to).to).trim();
  if (label === "" || isTouched(state, { from: item.from, to })) return null;
  return { from, to, label, isDone: state.sliceDoc(from + 1, to - 1) !== " " };
}

/** The line at the side of a quote says the same. */
function hideQuoteMark({ from, to }: SyntaxNodeRef, { state, decorations }: Context): void {
  if (isTouched(state, state.doc.lineAt(from))) return;
  const space = state.sliceDoc(to, to + 1) === " " ? 1 : 0;
  decorations.push(hidden.range(from, to + space));
}

function hideMark(node: SyntaxNodeRef, { state, decorations }: Context): void {
  const parent = node.node.parent;
  if (parent === null || parent.name === "FencedCode" || parent.name === "Image") return;
  // A link without a target is text in brackets.
  if (node.name === "LinkMark" && parent.getChild("URL") === null) return;
  if (parent.name === "Autolink" || isTouched(state, parent)) return;
  decorations.push(hidden.range(node.from, node.to));
}

function hideTarget(node: SyntaxNodeRef, { state, decorations }: Context): void {
  const parent = node.node.parent;
  if (parent?.name !== "Link" || isTouched(state, parent)) return;
  const title = parent.getChild("LinkTitle");
  decorations.push(hidden.range(node.from, title?.to ?? node.to));
}

function showImage(node: SyntaxNodeRef, { state, source, decorations }: Context): void {
  const url = node.node.getChild("URL");
  const { parent } = node.node;
  if (url === null || (parent?.parent?.parent === null && isFigure(parent))) return;
  const address = source(state.sliceDoc(url.from, url.to));
  if (address === null) return;
  const widget = new Picture(address, altText(node.node, state));
  decorations.push(Decoration.widget({ widget, side: 1 }).range(node.to));
}

function altText(node: SyntaxNode, state: EditorState): string {
  const [open, close] = node.getChildren("LinkMark");
  return open && close ? state.sliceDoc(open.to, close.from) : "";
}

/** True when the cursor or a selection is in the range: its source is shown. */
function isTouched(state: EditorState, { from, to }: TextRange): boolean {
  return state.selection.ranges.some((range) => range.from <= to && range.to >= from);
}

class Bullet extends WidgetType {
  toDOM(): HTMLElement {
    const dot = document.createElement("span");
    dot.className = "md-bullet";
    dot.textContent = "•";
    return dot;
  }
}

const bullet = Decoration.replace({ widget: new Bullet() });

class Checkbox extends WidgetType {
  readonly isDone: boolean;
  /** The text of the task. */
  readonly label: string;
  readonly isReadOnly: boolean;

  constructor(isDone: boolean, label: string, isReadOnly: boolean) {
    super();
    this.isDone = isDone;
    this.label = label;
    this.isReadOnly = isReadOnly;
  }

  override eq({ isDone, label, isReadOnly }: Checkbox): boolean {
    return isDone === this.isDone && label === this.label && isReadOnly === this.isReadOnly;
  }

  /** A press changes the one character between the brackets. */
  toDOM(view: EditorView): HTMLElement {
    const box = document.createElement("input");
    box.type = "checkbox";
    box.className = "md-task";
    box.checked = this.isDone;
    box.disabled = this.isReadOnly;
    box.setAttribute("aria-label", this.label);
    box.addEventListener("change", () => {
      const from = view.posAtDOM(box) + 1;
      const insert = box.checked ? "x" : " ";
      view.dispatch({ changes: { from, to: from + 1, insert }, userEvent: "input.type" });
    });
    return box;
  }

  /** Its presses are not those of the text around it. */
  override ignoreEvent(): boolean {
    return true;
  }
}

class Picture extends WidgetType {
  readonly address: string;
  readonly alt: string;

  constructor(address: string, alt: string) {
    super();
    this.address = address;
    this.alt = alt;
  }

  override eq(other: Picture): boolean {
    return other.address === this.address && other.alt === this.alt;
  }

  toDOM(): HTMLElement {
    const image = document.createElement("img");
    image.src = this.address;
    image.alt = this.alt;
    image.className = "md-picture";
    image.loading = "lazy";
    return image;
  }
}

const style = HighlightStyle.define([
  { tag: tags.heading1, class: "md-heading md-h1" },
  { tag: tags.heading2, class: "md-heading md-h2" },
  { tag: tags.heading3, class: "md-heading md-h3" },
  { tag: tags.heading, class: "md-heading" },
  { tag: tags.strong, class: "md-strong" },
  { tag: tags.emphasis, class: "md-emphasis" },
  { tag: tags.strikethrough, class: "md-strike" },
  { tag: tags.monospace, class: "md-code" },
  { tag: tags.link, class: "md-link" },
  { tag: [tags.url, tags.processingInstruction, tags.meta], class: "md-mark" },
  { tag: tags.quote, class: "md-quote" },
]);

/** GitHub's Markdown, without the languages inside code blocks. */
export function markdownSupport(): Extension {
  return [markdownLanguage, syntaxHighlighting(style)];
}

/** What the text editor knows of a file. */
type KnownFile = Pick<MediaItem, "name" | "url">;

let files: ReadonlyMap<string, KnownFile> = new Map();
let folder = "";

/** Addresses of the pictures that the text names: files of the page by their name. */
export const mediaAddresses = {
  /** Sets the files of the page with this source path. */
  use(items: readonly MediaItem[], sourcePath: string): void {
    folder = sourcePath.slice(0, sourcePath.lastIndexOf("/") + 1);
    files = new Map(items.map((item) => [item.name, item]));
  },
  /** Adds an uploaded file. */
  add(item: KnownFile): void {
    files = new Map([...files, [item.name, item]]);
  },
  /** The path of a file of the page; null for another one. */
  path(target: string): string | null {
    const file = fileOf(target);
    return file === undefined ? null : folder + file.name;
  },
  /** The address of a target in the text; null when the panel may not load it. */
  find(target: string): string | null {
    const name = plainName(target);
    if (/^\/(?!\/)/.test(name)) return siteHref(name);
    const file = fileOf(target);
    return file === undefined ? null : siteHref(file.url);
  },
};

function fileOf(target: string): KnownFile | undefined {
  return files.get(decoded(plainName(target)));
}

/** A target without brackets, `./` and what follows a question mark. */
function plainName(target: string): string {
  return target.replace(/^<|>$/g, "").replace(/^\.\//, "").replace(/\?.*$/, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
