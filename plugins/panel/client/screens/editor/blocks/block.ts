/**
 * The shape of a block of the text. Each block is one file; `all-blocks.ts` lists them, and plugins add theirs
 * through `PanelExtension.blocks`.
 */
import {
  Facet,
  StateEffect,
  type EditorState,
  type Extension,
  type Range,
} from "@codemirror/state";
import type { Decoration, EditorView } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import type { IconNode } from "lucide";
import type { SearchableEntry } from "./slash-search.js";

/** Dialogs that an entry of the menu opens. */
export interface SlashActions {
  readonly onLink: () => void;
  /** Null for a text that belongs to no page, and has no pictures of its own. */
  readonly onImage: (() => void) | null;
}

/** The groups of the menu, in their order. */
export const SLASH_GROUPS = ["text", "lists", "media", "layout", "plugins"] as const;
/** A group of the menu. */
export type SlashGroup = (typeof SLASH_GROUPS)[number];

/** An entry of the menu that `/` opens. */
export interface SlashEntry extends SearchableEntry {
  readonly icon: IconNode;
  /** What it is for, in a few words. */
  readonly hint: string;
  readonly group: SlashGroup;
  /** True: it opens the dialog of pictures. */
  readonly needsImages?: true;
  /** Writes the block at the cursor, whose line is empty. */
  run(view: EditorView, actions: SlashActions): void;
}

/** A block of the text. */
export interface EditorBlock {
  readonly name: string;
  readonly entries: readonly SlashEntry[];
}

/** What is drawn of a whole text. */
interface DrawnText {
  readonly decorations: readonly Range<Decoration>[];
  readonly covered: readonly { readonly from: number; readonly to: number }[];
}

/** How a block is shown in place of its Markdown; loaded with the first text that has one. */
export interface BlockView {
  /** The decorations of a block that stands at the top level of the text; none: it is shown as text. */
  decorate(node: SyntaxNode, state: EditorState): readonly Range<Decoration>[];
  /** Decorations of blocks that are no nodes, and the ranges in which nothing else is drawn. */
  decorateText?(state: EditorState): DrawnText;
  /** What the editor needs besides, while such blocks are shown. */
  readonly extension?: Extension;
}

/** The dialogs, for blocks that open them. */
export const blockActions = Facet.define<SlashActions, SlashActions | null>({
  combine: ([first = null]) => first,
});

/** True for a paragraph that is one picture. */
export function isFigure(node: SyntaxNode): boolean {
  const { name, firstChild } = node;
  if (name !== "Paragraph" || firstChild?.name !== "Image") return false;
  return firstChild.from === node.from && firstChild.to === node.to;
}

/** Shows the blocks again: what they show besides the text has changed. */
export const refreshBlocks = StateEffect.define<null>();

/** True when the cursor or a selection is in the range: its source is shown. */
export function isTouched(state: EditorState, from: number, to: number): boolean {
  return state.selection.ranges.some((range) => range.from <= to && range.to >= from);
}
