/** A link in the Markdown of the text: where its parts stand, and the changes that give it another target or remove it. */
import { syntaxTree } from "@codemirror/language";
import type { ChangeSpec, EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";
import { escapeUrl } from "../toolbar/formatting.js";

/** Positions in the text. */
interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A link. */
export interface LinkSource extends TextRange {
  /** Its text between the brackets; null for a bare address. */
  readonly text: TextRange | null;
  /** Its target as written between the round brackets; null: the target stands elsewhere. */
  readonly target: TextRange | null;
  /** The address, without brackets and escapes; empty for a link without one. */
  readonly address: string;
}

/** The link at a position, its edges included; null without one. A text in brackets without a target is text. */
export function linkAt(state: EditorState, position: number): LinkSource | null {
  for (const side of [1, -1] as const) {
    for (
      let node: SyntaxNode | null = syntaxTree(state).resolveInner(position, side);
      node !== null;
      node = node.parent
    ) {
      const link = readLink(state, node);
      if (link !== null) return link;
    }
  }
  return null;
}

function readLink(state: EditorState, node: SyntaxNode): LinkSource | null {
  if (node.name === "Link") return readBracketed(state, node);
  const { from, to } = node;
  const url = node.name === "Autolink" ? node.getChild("URL") : bareUrl(node);
  const address = url === null ? "" : bareAddress(state.sliceDoc(url.from, url.to));
  return url && { from, to, text: null, target: null, address };
}

/** An address that stands by itself; null for one that belongs to something else. */
function bareUrl(node: SyntaxNode): SyntaxNode | null {
  const isPart = /^(?:Link|Image|Autolink|LinkReference)$/.test(node.parent?.name ?? "");
  return node.name === "URL" && !isPart ? node : null;
}

function readBracketed(state: EditorState, node: SyntaxNode): LinkSource | null {
  const { from, to } = node;
  const [open, close, round, end] = node.getChildren("LinkMark");
  if (open === undefined || close === undefined) return null;
  const text = { from: open.to, to: close.from };
  if (round !== undefined && end !== undefined) {
    const target = node.getChild("URL") ?? { from: round.to, to: round.to };
    const address = plain(state.sliceDoc(target.from, target.to));
    return { from, to, text, target: { from: target.from, to: target.to }, address };
  }
  const label = node.getChild("LinkLabel");
  const words = label === null ? "" : state.sliceDoc(label.from + 1, label.to - 1);
  const address = definition(state, words === "" ? state.sliceDoc(text.from, text.to) : words);
  return address === null ? null : { from, to, text, target: null, address };
}

/** The address that a reference names; null when the text does not define it. */
function definition(state: EditorState, label: string): string | null {
  const sought = normalized(label);
  for (let node = syntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling) {
    const name = node.name === "LinkReference" ? node.getChild("LinkLabel") : null;
    const url = node.getChild("URL");
    if (name === null || url === null) continue;
    if (normalized(state.sliceDoc(name.from + 1, name.to - 1)) === sought) {
      return plain(state.sliceDoc(url.from, url.to));
    }
  }
  return null;
}

function normalized(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}

/** GitHub's Markdown links words that begin with `www.` and addresses of mail. */
function bareAddress(words: string): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(words)) return words;
  return words.includes("@") ? `mailto:${words}` : `https://${words}`;
}

function plain(written: string): string {
  return written.replace(/^<(.*)>$/s, "$1").replace(/\\([!-/:-@[-`{-~])/g, "$1");
}

/** Gives a link another target; its text and its title stay as they are written. */
export function targetChange(link: LinkSource, address: string): ChangeSpec | null {
  if (address === link.address) return null;
  if (link.target !== null) return { ...link.target, insert: escapeUrl(address) };
  if (link.text === null) return { from: link.from, to: link.to, insert: `<${address}>` };
  return { from: link.text.to, to: link.to, insert: `](${escapeUrl(address)})` };
}

/** Leaves the text of a link; null for a bare address, which is a link by itself. */
export function unlinkChange(link: LinkSource): ChangeSpec[] | null {
  if (link.text === null) return null;
  return [
    { from: link.from, to: link.text.from },
    { from: link.text.to, to: link.to },
  ];
}
