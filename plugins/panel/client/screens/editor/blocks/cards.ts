/**
 * Lines that stand for something else, as cards: a shortcode of a plugin (a video, a form) with fields for its
 * parameters, and a link to a file alone in its paragraph. The line is shown while the cursor is in it.
 */
import { syntaxTree } from "@codemirror/language";
import { Prec, type EditorState, type Extension, type Line, type Range } from "@codemirror/state";
import {
  Decoration,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { ExternalLink, Paperclip, Pencil } from "lucide";
import { boot } from "../../../boot.js";
import { linkAt } from "../text/link-source.js";
import { mediaAddresses } from "../text/live-markdown.js";
import { t } from "../text/tool-texts.js";
import { isTouched } from "./block.js";
import { blockKeys, goTo, iconButton, iconElement, showValue } from "./block-parts.js";
import { shortcodeFace } from "./shortcode.js";
import { shortcodeName, shortcodeValues, valueChange, type Parameter } from "./shortcode-source.js";

/** The extension. */
export function blockCards(): Extension {
  // A card replaces the marks of a link that are hidden otherwise.
  return Prec.highest(cards);
}

const cards = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }
    update({ view }: ViewUpdate): void {
      this.decorations = decorate(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function decorate({ state, visibleRanges }: EditorView): DecorationSet {
  const decorations: Range<Decoration>[] = [];
  for (const visible of visibleRanges) {
    syntaxTree(state).iterate({
      ...visible,
      enter: ({ node }) => {
        if (node.name === "Document") return true;
        const card = node.name === "Paragraph" ? cardOf(node, state) : null;
        if (card !== null) {
          const { from, to } = node;
          decorations.push(Decoration.replace({ widget: new CardWidget(card) }).range(from, to));
        }
        return false;
      },
    });
  }
  return Decoration.set(decorations, true);
}

/** What a card shows. */
interface Card {
  readonly kind: "shortcode" | "file";
  /** Name of the shortcode; empty for a file. */
  readonly name: string;
  readonly detail: string;
  /** An address that can be opened; null without one. */
  readonly address: string | null;
  readonly params: readonly Parameter[];
  /** Null: its line alone can be edited. */
  readonly values: ReadonlyMap<string, string> | null;
}

const MAX_LENGTH = 1_000;

/** The card of a paragraph; null for one that is text, or has the cursor. */
function cardOf(paragraph: SyntaxNode, state: EditorState): Card | null {
  const { from, to } = paragraph;
  const line = state.doc.lineAt(from);
  if (to > line.to || to - from > MAX_LENGTH || isTouched(state, line.from, line.to)) return null;
  return shortcodeCard(state.sliceDoc(from, to)) ?? fileCard(paragraph, state);
}

function shortcodeCard(source: string): Card | null {
  const name = shortcodeName(source);
  const known = boot.shortcodes.find((one) => one.name === name);
  if (known === undefined || name === null) return null;
  const address = /https?:\/\/[^\s"']+/.exec(source)?.[0] ?? null;
  const values = shortcodeValues(source, known.params);
  const detail = source.slice(2, -2).trim().slice(name.length).trim();
  return { kind: "shortcode", name, detail, address, params: known.params, values };
}

/** The card of a paragraph that is one link to a file; a picture that leads somewhere is a picture. */
function fileCard({ from, to, firstChild }: SyntaxNode, state: EditorState): Card | null {
  const isLink = firstChild?.name === "Link" && firstChild.from === from && firstChild.to === to;
  if (!isLink || firstChild.getChild("Image") !== null) return null;
  const link = linkAt(state, from);
  const address = link === null ? null : fileAddress(link.address);
  if (address === null || !link?.text) return null;
  const detail = state.sliceDoc(link.text.from, link.text.to);
  return { kind: "file", name: "", detail, address, params: [], values: null };
}

/** The address of a file of the site; null for a page, or another site. */
function fileAddress(target: string): string | null {
  const isFile = mediaAddresses.path(target) !== null || target.startsWith("/content-media/");
  return isFile ? mediaAddresses.find(target) : null;
}

class CardWidget extends WidgetType {
  readonly card: Card;

  constructor(card: Card) {
    super();
    this.card = card;
  }

  override eq({ card }: CardWidget): boolean {
    return (
      card.kind === this.card.kind &&
      card.name === this.card.name &&
      card.detail === this.card.detail &&
      card.address === this.card.address
    );
  }

  toDOM(view: EditorView): HTMLElement {
    const { kind, name, detail, params, values } = this.card;
    const face = kind === "file" ? { label: t("card.file"), icon: Paperclip } : shortcodeFace(name);
    const dom = document.createElement("span");
    dom.className = "md-card";
    dom.dataset["shortcode"] = name;
    dom.contentEditable = "false";
    const label = words("md-card-label", face.label);
    dom.append(iconElement(face.icon, 20), label);
    const line = () => view.state.doc.lineAt(view.posAtDOM(dom));
    const edit = (): void => goTo(view, line().to);
    if (values === null || params.length === 0) dom.append(words("md-card-detail", detail));
    else {
      const fields = words("md-card-fields", "");
      for (const param of params) fields.append(parameterField(param, face.label, view, line));
      dom.append(fields);
      blockKeys(view, dom, () => line().to);
    }
    const open = document.createElement("a");
    open.target = "_blank";
    open.rel = "noopener noreferrer";
    open.title = t("link.open");
    open.append(iconElement(ExternalLink, 16));
    dom.append(open);
    if (!view.state.readOnly) {
      const button = iconButton(t("card.edit"), Pencil, edit);
      button.setAttribute("aria-label", `${t("card.edit")}: ${face.label}`);
      dom.append(button);
      label.addEventListener("mousedown", (event) => {
        event.preventDefault();
        edit();
      });
    }
    this.updateDOM(dom);
    return dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    const { name, detail, address, values } = this.card;
    const fields = [...dom.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-param]")];
    const hasFields = values !== null && this.card.params.length > 0;
    if (dom.dataset["shortcode"] !== name || hasFields !== fields.length > 0) return false;
    for (const field of fields) {
      const value = values?.get(field.dataset["param"] ?? "") ?? "";
      if (field instanceof HTMLSelectElement) field.value = value;
      else if (field.type === "checkbox") field.checked = value === "true";
      else showValue(field, value);
    }
    const shown = dom.querySelector(".md-card-detail");
    if (shown !== null) shown.textContent = detail;
    const open = dom.querySelector("a");
    if (open !== null) {
      open.hidden = address === null;
      open.href = address ?? "";
      open.setAttribute("aria-label", `${t("link.open")}: ${address ?? detail}`);
    }
    return true;
  }
}

/** The field of a parameter. */
function parameterField(
  { name, label, type, options }: Parameter,
  shortcode: string,
  view: EditorView,
  line: () => Line,
): HTMLElement {
  const write = (value: string): void => {
    const { from, text } = line();
    const start = text.length - text.trimStart().length;
    const source = text.trim();
    const known = boot.shortcodes.find((one) => one.name === shortcodeName(source));
    const change = known === undefined ? null : valueChange(source, known.params, name, value);
    if (change === null) return;
    const [at, to] = [from + start + change.from, from + start + change.to];
    view.dispatch({ changes: { ...change, from: at, to }, userEvent: "input.type" });
  };
  const frame = document.createElement("label");
  frame.className = type === "toggle" ? "md-card-toggle" : "md-card-field";
  const input = document.createElement("input");
  const select = document.createElement("select");
  const field = options.length > 0 ? select : input;
  select.append(new Option("", ""), ...options.map((one) => new Option(one.label, one.value)));
  input.type = type === "toggle" ? "checkbox" : "text";
  input.autocomplete = "off";
  field.addEventListener("input", () => {
    if (field === input && type === "toggle") write(input.checked ? "true" : "");
    else write(field.value);
  });
  field.dataset["param"] = name;
  field.disabled = view.state.readOnly;
  field.setAttribute("aria-label", `${shortcode}: ${label}`);
  const title = words("dim", label);
  if (type === "toggle") frame.append(field, title);
  else frame.append(title, field);
  return frame;
}

function words(name: string, text: string): HTMLElement {
  const part = document.createElement("span");
  part.className = name;
  part.textContent = text;
  return part;
}
