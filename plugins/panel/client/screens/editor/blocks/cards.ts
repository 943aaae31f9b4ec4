/**
 * Lines that stand for something else, as cards: a shortcode of a plugin (a video, a form, a gallery) and a link
 * to a file alone in its paragraph. The line is shown while the cursor is in it.
 */
import { syntaxTree } from "@codemirror/language";
import { Prec, type EditorState, type Extension, type Range } from "@codemirror/state";
import {
  Decoration,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { createElement, ExternalLink, Paperclip, Pencil, type IconNode } from "lucide";
import { boot } from "../../../boot.js";
import { linkAt } from "../text/link-source.js";
import { mediaAddresses } from "../text/live-markdown.js";
import { t } from "../text/tool-texts.js";
import { isTouched } from "./block.js";
import { shortcodeFace } from "./shortcode.js";

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
}

const MAX_LENGTH = 1_000;

/** The card of a paragraph; null for one that is text, or has the cursor. */
function cardOf(paragraph: SyntaxNode, state: EditorState): Card | null {
  const { from, to } = paragraph;
  const line = state.doc.lineAt(from);
  if (to > line.to || to - from > MAX_LENGTH || isTouched(state, line.from, line.to)) return null;
  return shortcodeCard(state.sliceDoc(from, to)) ?? fileCard(paragraph, state);
}

function shortcodeCard(text: string): Card | null {
  const [, name = "", words = ""] = /^\{\{\s*([\w-]+)\s*([^{}]*?)\s*\}\}$/.exec(text) ?? [];
  if (!boot.shortcodes.includes(name)) return null;
  const address = /https?:\/\/[^\s"']+/.exec(words)?.[0] ?? null;
  const [, detail = words] = /^"([^"]*)"$/.exec(words) ?? [];
  return { kind: "shortcode", name, detail, address };
}

/** The card of a paragraph that is one link to a file; a picture that leads somewhere is a picture. */
function fileCard({ from, to, firstChild }: SyntaxNode, state: EditorState): Card | null {
  const isLink = firstChild?.name === "Link" && firstChild.from === from && firstChild.to === to;
  if (!isLink || firstChild.getChild("Image") !== null) return null;
  const link = linkAt(state, from);
  const address = link === null ? null : fileAddress(link.address);
  if (address === null || !link?.text) return null;
  const detail = state.sliceDoc(link.text.from, link.text.to);
  return { kind: "file", name: "", detail, address };
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
    const { kind, name, detail, address } = this.card;
    const face = kind === "file" ? { label: t("card.file"), icon: Paperclip } : shortcodeFace(name);
    const dom = document.createElement("span");
    dom.className = "md-card";
    dom.contentEditable = "false";
    const label = words("md-card-label", face.label);
    dom.append(icon(face.icon, 20), label, words("md-card-detail", detail));
    const edit = (event: Event): void => {
      event.preventDefault();
      const line = view.state.doc.lineAt(view.posAtDOM(dom));
      view.dispatch({ selection: { anchor: line.to }, scrollIntoView: true });
      view.focus();
    };
    if (address !== null) {
      const open = document.createElement("a");
      open.href = address;
      open.target = "_blank";
      open.rel = "noopener noreferrer";
      open.tabIndex = -1;
      open.title = t("link.open");
      open.setAttribute("aria-label", `${t("link.open")}: ${detail}`);
      open.append(icon(ExternalLink, 16));
      dom.append(open);
    }
    if (!view.state.readOnly) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "icon";
      button.tabIndex = -1;
      button.title = t("card.edit");
      button.setAttribute("aria-label", `${t("card.edit")}: ${face.label}`);
      button.append(icon(Pencil, 16));
      button.addEventListener("click", edit);
      dom.append(button);
      label.addEventListener("mousedown", edit);
    }
    return dom;
  }
}

function words(name: string, text: string): HTMLElement {
  const part = document.createElement("span");
  part.className = name;
  part.textContent = text;
  return part;
}

function icon(of: IconNode, size: number): SVGElement {
  return createElement(of, { width: size, height: size, "aria-hidden": "true" });
}
