/** A picture on a line of its own, shown as a picture with its texts. The line shows while the cursor is in it. */
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { Decoration, WidgetType, type EditorView } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { Crop, FileText, Replace, Scaling, Trash2 } from "lucide";
import { findInLibrary } from "../../../api/media.js";
import { href } from "../../../app/router.js";
import { attempt } from "../../../app/toasts.js";
import { mediaAddresses } from "../text/live-markdown.js";
import { blockActions, isTouched, type BlockView } from "./block.js";
import { blockKeys, iconButton, textField } from "./block-parts.js";
import { t } from "./block-texts.js";
import { openMenu } from "./handle/menu.js";
import {
  escapeText,
  shownText,
  textChange,
  widthOf,
  withWidth,
  type Closing,
} from "./picture-source.js";

/** Where the parts of a picture stand in the text. */
interface Parts {
  readonly image: SyntaxNode;
  readonly alt: { readonly from: number; readonly to: number };
  readonly url: SyntaxNode;
  /** The caption with its quotes. */
  readonly title: SyntaxNode | null;
}

function partsOf(image: SyntaxNode): Parts | null {
  const [open, close] = image.getChildren("LinkMark");
  const url = image.getChild("URL");
  if (open === undefined || close === undefined || url === null) return null;
  return { image, url, alt: { from: open.to, to: close.from }, title: image.getChild("LinkTitle") };
}

class PictureWidget extends WidgetType {
  readonly source: string;
  readonly address: string;
  readonly isReadOnly: boolean;

  constructor(source: string, address: string, isReadOnly: boolean) {
    super();
    this.source = source;
    this.address = address;
    this.isReadOnly = isReadOnly;
  }

  override eq(other: PictureWidget): boolean {
    return (
      other.source === this.source &&
      other.address === this.address &&
      other.isReadOnly === this.isReadOnly
    );
  }

  override get estimatedHeight(): number {
    return 320;
  }

  toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement("div");
    dom.className = "md-figure";
    dom.contentEditable = "false";
    const image = document.createElement("img");
    image.className = "md-picture";
    image.loading = "lazy";
    image.addEventListener("load", () => view.requestMeasure());
    dom.append(image);
    if (!this.isReadOnly) {
      const figure = { view, dom };
      dom.append(field(figure, "alt"), field(figure, "caption"), tools(figure));
      blockKeys(view, dom, () => view.state.doc.lineAt(view.posAtDOM(dom)).to);
    }
    this.updateDOM(dom);
    return dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    const image = dom.querySelector("img");
    if (image === null) return false;
    const { alt, caption } = textsOf(this.source);
    if (image.getAttribute("src") !== this.address) image.src = this.address;
    image.alt = alt;
    for (const [name, value] of Object.entries({ alt, caption })) {
      const input = dom.querySelector<HTMLInputElement>(`input[name="${name}"]`);
      if (input !== null && input.value !== value) input.value = value;
    }
    dom.classList.toggle("is-undescribed", alt.trim() === "");
    return true;
  }
}

/** A picture on the screen. */
interface Figure {
  readonly view: EditorView;
  readonly dom: HTMLElement;
}

/** The texts in a picture's Markdown. */
function textsOf(source: string): { alt: string; caption: string } {
  const match = /^!\[((?:\\.|[^\\])*?)\]\((?:<[^>]*>|[^\s)]*)(?:\s+(["'(])([^]*)["')])?\s*\)$/.exec(
    source,
  );
  const [, alt = "", quote = '"', caption = ""] = match ?? [];
  return { alt: shownText(alt, "]"), caption: shownText(caption, closingOf(quote)) };
}

function closingOf(quote: string): Closing {
  return quote === "(" ? ")" : quote === "'" ? "'" : '"';
}

function field(figure: Figure, name: "alt" | "caption"): HTMLElement {
  const input = textField(t(`picture.${name}`), t(`picture.${name}.ask`), (value) =>
    write(figure, name, value),
  );
  input.name = name;
  return input;
}

/** Writes a text of the picture: what is equal stays as it is written. */
function write({ view, dom }: Figure, name: "alt" | "caption", value: string): void {
  const parts = find(view, dom);
  if (parts === null) return;
  const change =
    name === "alt" ? altChange(view.state, parts, value) : captionChange(view.state, parts, value);
  if (change !== null) view.dispatch({ changes: change, userEvent: "input.type" });
}

function altChange(state: EditorState, { alt }: Parts, value: string) {
  const change = textChange(state.sliceDoc(alt.from, alt.to), value, "]");
  return change && { ...change, from: alt.from + change.from, to: alt.from + change.to };
}

function captionChange(state: EditorState, { url, title }: Parts, value: string) {
  if (title === null) {
    return value === "" ? null : { from: url.to, insert: ` "${escapeText(value, '"')}"` };
  }
  if (value === "") return { from: url.to, to: title.to, insert: "" };
  const closing = closingOf(state.sliceDoc(title.from, title.from + 1));
  const from = title.from + 1;
  const change = textChange(state.sliceDoc(from, title.to - 1), value, closing);
  return change && { ...change, from: from + change.from, to: from + change.to };
}

function find(view: EditorView, dom: HTMLElement): Parts | null {
  const { from } = view.state.doc.lineAt(view.posAtDOM(dom));
  let node: SyntaxNode | null = syntaxTree(view.state).resolveInner(from, 1);
  while (node !== null && node.name !== "Image") node = node.parent;
  return node === null ? null : partsOf(node);
}

function tools(figure: Figure): HTMLElement {
  const row = document.createElement("div");
  row.className = "md-figure-tools";
  const { view, dom } = figure;
  row.append(
    iconButton(
      t("picture.size"),
      Scaling,
      (button) => void attempt(() => chooseSize(figure, button)),
    ),
    iconButton(t("picture.crop"), Crop, () => crop(figure)),
    iconButton(t("picture.replace"), Replace, () => {
      const found = find(view, dom);
      if (found === null) return;
      view.dispatch({ selection: { anchor: found.image.from, head: found.image.to } });
      view.state.facet(blockActions)?.onImage?.();
    }),
    iconButton(t("source"), FileText, () => {
      const found = find(view, dom);
      if (found === null) return;
      view.dispatch({ selection: { anchor: found.alt.from }, scrollIntoView: true });
      view.focus();
    }),
    iconButton(t("picture.delete"), Trash2, () => {
      const { doc } = view.state;
      const line = doc.lineAt(view.posAtDOM(dom));
      const to =
        line.number < doc.lines && doc.line(line.number + 1).text === "" ? line.to + 1 : line.to;
      view.dispatch({
        changes: { from: line.from, to },
        selection: { anchor: line.from },
        userEvent: "delete",
      });
      view.focus();
    }),
  );
  return row;
}

/** Offers the widths that the site has variants of. */
async function chooseSize({ view, dom }: Figure, anchor: HTMLElement): Promise<void> {
  const parts = find(view, dom);
  if (parts === null) return;
  const { from, to } = parts.url;
  const address = view.state.sliceDoc(from, to);
  const current = widthOf(address);
  const path = mediaAddresses.path(address);
  const file = path === null ? null : await findInLibrary(path);
  const found = [...(file?.srcset ?? "").matchAll(/\s(\d+)w/g)].map(([, width]) => Number(width));
  const widths = [0, ...new Set(found)].sort((a, b) => a - b);
  openMenu(anchor, {
    label: t("picture.size"),
    groups: [
      widths.map((width) => ({
        label: width === 0 ? t("picture.size.full") : t("picture.size.width", { width }),
        icon: Scaling,
        isDisabled: width === current,
        run: () => {
          const insert = withWidth(address, width);
          view.dispatch({ changes: { from, to, insert }, userEvent: "input" });
        },
      })),
    ],
    onClose: () => anchor.focus(),
  });
}

/** The focal point belongs to the file: its details have it. */
function crop({ view, dom }: Figure): void {
  const parts = find(view, dom);
  if (parts === null) return;
  const path = mediaAddresses.path(view.state.sliceDoc(parts.url.from, parts.url.to));
  if (path !== null) open(href(`/media?file=${encodeURIComponent(path)}`), "_blank", "noopener");
}

/** Pictures alone on one line; those between words stay in their line. */
export const pictureView: BlockView = {
  decorate: (paragraph, state) => {
    const parts = paragraph.firstChild === null ? null : partsOf(paragraph.firstChild);
    if (parts === null) return [];
    const { from, to } = state.doc.lineAt(paragraph.from);
    const address = mediaAddresses.find(state.sliceDoc(parts.url.from, parts.url.to));
    if (address === null) return [];
    const source = state.sliceDoc(parts.image.from, parts.image.to);
    const widget = new PictureWidget(source, address, state.readOnly);
    return isTouched(state, from, to)
      ? [Decoration.widget({ widget, block: true, side: 1 }).range(to)]
      : [Decoration.replace({ widget, block: true }).range(from, to)];
  },
};
