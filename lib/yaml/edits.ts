/** The edits of a text that make a change of its values; each is as small as the text around it allows. */
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type CST,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { listEdits, type ListEditor } from "./list-edits.js";
import {
  flowText,
  isOneLine,
  itemText,
  pairText,
  type FileStyle,
  type TextStyle,
  type Way,
} from "./render.js";
import { MAX_ALIASES } from "./parse.js";
import {
  columnOf,
  contentEnd,
  itemEnd,
  itemStart,
  lineEnd,
  valuePlace,
  type Slot,
} from "./tokens.js";
import {
  changedValue,
  deltasBetween,
  isEqualValue,
  isPlainMap,
  type Delta,
  YamlEditError,
} from "./values.js";
import { addPairs, pairLines, removePair } from "./pair-edits.js";

/** A part of the text that is replaced. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

const BLANK_LINES = "(?:[ \\t]*(?:#.*)?(?:\\r?\\n|$)|%.*\\r?\\n)*";
/** The comments and the opening line of a document without contents. */
const EMPTY_DOCUMENT = new RegExp(
  `^\\uFEFF?${BLANK_LINES}(?:---[ \\t]*(?:#.*)?(?:\\r?\\n|$)${BLANK_LINES})?`,
);

/** Collects the edits of one text. */
export class EditList implements ListEditor {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly way: Way;
  readonly style: FileStyle;
  readonly edits: Edit[] = [];
  /** The items with contents of a list in lines. */
  readonly #lines = new WeakMap<CST.BlockSequence, readonly CST.CollectionItem[]>();
  /** The items of a list in brackets, by their values. */
  readonly #entries = new WeakMap<
    CST.FlowCollection,
    ReadonlyMap<CST.Token | undefined, CST.CollectionItem>
  >();

  constructor(text: string, document: Document.Parsed, style: FileStyle, way: Way) {
    this.text = text;
    this.document = document;
    this.style = style;
    this.way = way;
  }

  /** Replaces a part of the text. */
  replace(from: number, to: number, insert: string): void {
    if (this.text.slice(from, to) !== insert) this.edits.push({ from, to, insert });
  }

  /** The value of a node. @throws for too many aliases. */
  valueOf(node: Node | null): unknown {
    return node === null ? null : node.toJS(this.document, { maxAliasCount: MAX_ALIASES });
  }

  /** The style of new text in place of a value, or beside it. */
  styleFor(like: Node | null, anchor: string | null = null): TextStyle {
    return { ...this.style, like, anchor, isQuoted: this.way !== "small" };
  }

  /** Changes the map of the whole file. */
  changeRoot(deltas: ReadonlyMap<string, Delta>): void {
    const { contents } = this.document;
    if (isMap(contents) && contents.items.length > 0) {
      if (this.#changeMap(contents, deltas, "")) return;
      this.#emptyRoot(contents);
      return;
    }
    const next = changedValue({}, { kind: "inside", keys: deltas });
    if (!isPlainMap(next) || Object.keys(next).length === 0) return;
    const lines = pairLines(this, Object.entries(next), 0).join("\n");
    const range = contents?.range;
    if (isMap(contents) && range) this.replace(range[0], range[1], lines);
    else this.#fillEmpty(lines);
  }

  /** Gives a value in the text another value. */
  setValue(slot: Slot, value: unknown): void {
    const { node } = slot;
    const before = this.valueOf(node);
    if (node !== null && isEqualValue(before, value)) return;
    const isWhole = this.way === "whole" || isAlias(node) || slot.place.hasTag;
    if (isWhole || !this.#changeInside(slot, before, value)) this.#replaceWhole(slot, value);
  }

  /** False where a value has to be written as a whole. */
  #changeInside(slot: Slot, before: unknown, value: unknown): boolean {
    const { node, path } = slot;
    if (isMap(node)) {
      const isFilled = isPlainMap(value) && Object.keys(value).length > 0 && node.items.length > 0;
      if (!isFilled || !isPlainMap(before)) return false;
      return this.#changeMap(node, deltasBetween(before, value), path);
    }
    if (isSeq(node)) return Array.isArray(value) && listEdits(this, { list: node, value, path });
    return this.#replaceScalar(slot, value);
  }

  /** Applies a change to a value in the text. */
  change(slot: Slot, delta: Delta): void {
    const { node } = slot;
    if (delta.kind !== "inside") {
      if (delta.kind === "set") this.setValue(slot, delta.value);
      return;
    }
    if (isMap(node) && node.items.length > 0 && this.way !== "whole") {
      if (!this.#changeMap(node, delta.keys, slot.path)) this.#replaceWhole(slot, {});
      return;
    }
    const isRemoval = [...delta.keys.values()].some(({ kind }) => kind === "remove");
    if (isSeq(node) && !isRemoval && this.way !== "whole") {
      for (const [at, inner] of delta.keys) {
        const item = this.itemSlot(node, Number(at), slot.path);
        if (item === null) throw this.failure(slot, `has no item ${at}`);
        this.change(item, inner);
      }
      return;
    }
    this.setValue(slot, changedValue(this.valueOf(node), delta));
  }

  /** An item of a list; null where its text is not clear. */
  itemSlot(list: YAMLSeq, at: number, path: string): Slot | null {
    const token = list.srcToken;
    const node = nodeOf(list.items[at]);
    const slot = { node, isPair: false, path: pathOf(path, String(at)) };
    if (token?.type === "block-seq") {
      const item = this.#linesOf(token)[at];
      const place = item === undefined ? null : valuePlace(item, false);
      if (place === null) return null;
      return { ...slot, place, column: columnOf(this.text, place.head - 1), isFlow: false };
    }
    const range = node?.range;
    if (token?.type !== "flow-collection" || !range || node?.srcToken === undefined) return null;
    const item = this.#entriesOf(token).get(node.srcToken);
    const start = item === undefined ? null : itemStart(item);
    if (start === null) return null;
    const place = {
      head: start,
      start,
      end: contentEnd(node.srcToken),
      commentEnd: null,
      anchor: anchorOf(node),
      hasTag: node.tag !== undefined && !isCollection(node),
    };
    return { ...slot, place, column: 0, isFlow: true };
  }

  #linesOf(token: CST.BlockSequence): readonly CST.CollectionItem[] {
    const lines = this.#lines.get(token) ?? token.items.filter((one) => itemStart(one) !== null);
    this.#lines.set(token, lines);
    return lines;
  }

  #entriesOf(token: CST.FlowCollection): ReadonlyMap<CST.Token | undefined, CST.CollectionItem> {
    const entries =
      this.#entries.get(token) ?? new Map(token.items.map((item) => [item.value, item]));
    this.#entries.set(token, entries);
    return entries;
  }

  /** An error about a value, with its line. */
  failure({ path, place, node }: Slot, problem: string): YamlEditError {
    return new YamlEditError(problem, { key: path, at: node?.range?.[0] ?? place.head }, this.text);
  }

  /** False when nothing would be left in the map. */
  #changeMap(map: YAMLMap, deltas: ReadonlyMap<string, Delta>, path: string): boolean {
    const pairs = namedPairs(map);
    const removed = new Set<Pair>();
    const added = new Map<string, unknown>();
    const changed: [pair: Pair, name: string, delta: Delta][] = [];
    for (const [name, delta] of deltas) {
      const pair = this.#onlyPair(pairs, name, path);
      if (pair === undefined) added.set(name, changedValue(undefined, delta));
      else if (delta.kind === "remove") removed.add(pair);
      else changed.push([pair, name, delta]);
    }
    for (const [name, value] of added) if (value === undefined) added.delete(name);
    const isEmptied = removed.size === map.items.length;
    if (isEmptied && added.size === 0) return false;
    for (const [pair, name, delta] of changed) {
      this.#changePair(map, pair, delta, pathOf(path, name));
    }
    // The new keys stand in the place of the first.
    const [instead] = isEmptied ? removed : [];
    for (const pair of removed) if (pair !== instead) removePair(this, map, pair);
    if (added.size > 0) addPairs(this, map, { added, removed, instead });
    return true;
  }

  /** @throws YamlEditError for a name that two keys have: `1` and `"1"`. */
  #onlyPair(
    pairs: ReadonlyMap<string, readonly Pair[]>,
    name: string,
    path: string,
  ): Pair | undefined {
    const [pair, other] = pairs.get(name) ?? [];
    if (other === undefined) return pair;
    const place = { key: pathOf(path, name), at: nodeOf(other.key)?.range?.[0] ?? 0 };
    throw new YamlEditError("is written twice; remove one", place, this.text);
  }

  #changePair(map: YAMLMap, pair: Pair, delta: Delta, path: string): void {
    const slot = this.#pairSlot(map, pair, path);
    if (slot !== null) {
      this.change(slot, delta);
      return;
    }
    // A key without a colon: in brackets, or behind a question mark.
    const value = changedValue(null, delta);
    const item = pair.srcToken;
    const end = item === undefined ? null : itemEnd(item);
    if (value === null || end === null || item === undefined) return;
    const isFlow = map.flow === true;
    const column = columnOf(this.text, itemStart(item) ?? end);
    const text = isFlow
      ? `: ${flowText(value, this.styleFor(null))}`
      : `\n${" ".repeat(column)}:${pairText(value, column, this.styleFor(null))}`;
    this.replace(end, end, text);
  }

  #pairSlot(map: YAMLMap, pair: Pair, path: string): Slot | null {
    const item = pair.srcToken;
    const place = item === undefined ? null : valuePlace(item, true);
    if (place === null || item === undefined) return null;
    const node = nodeOf(pair.value);
    // An empty value has no text of its own.
    const isWritten = place.start !== null && item.value !== undefined;
    return {
      node: isWritten ? node : null,
      place,
      column: columnOf(this.text, itemStart(item) ?? place.head),
      isPair: true,
      isFlow: map.flow === true,
      path,
    };
  }

  /** Replaces a value that stands on one line by another one; its quotes stay. */
  #replaceScalar({ node, place, isFlow }: Slot, value: unknown): boolean {
    if (!isScalar(node) || !isOneLine(value) || isPlainMap(value) || Array.isArray(value))
      return false;
    const token = node.srcToken;
    if (token === undefined || token.type === "block-scalar" || place.start === null) return false;
    const [from, to] = [token.offset, contentEnd(token)];
    if (from === to || this.text.slice(from, to).includes("\n")) return false;
    const style = this.styleFor(node);
    this.replace(from, to, isFlow ? flowText(value, style) : itemText(value, 0, style).slice(1));
    return true;
  }

  /** Replaces the text of a value from its colon or dash to its end. */
  #replaceWhole(slot: Slot, value: unknown): void {
    const { place, node, column, isPair, isFlow } = slot;
    const { head, end, start, commentEnd } = place;
    const style = this.styleFor(isAlias(node) ? null : node, place.anchor);
    if (isFlow) {
      this.replace(start ?? head, end, (start === null ? " " : "") + flowText(value, style));
      return;
    }
    const written = isPair ? pairText(value, column, style) : itemText(value, column, style);
    const isBelow = written.startsWith("\n");
    const behind = this.text.slice(end, lineEnd(this.text, end));
    if (commentEnd !== null && (isBelow || !written.includes("\n"))) {
      if (isBelow) this.replace(commentEnd, end, written);
      else {
        this.replace(head, head, written);
        this.replace(commentEnd, end, "");
      }
    } else if (isBelow && /^[ \t]+#/.test(behind) && !this.text.slice(head, end).includes("\n")) {
      // The comment stays beside the key.
      this.replace(head, end, "");
      const at = lineEnd(this.text, end);
      this.replace(at, at, written);
    } else this.replace(head, end, written);
  }

  #emptyRoot(map: YAMLMap): void {
    const { srcToken: token } = map;
    if (token?.type === "flow-collection") {
      this.replace(token.offset, contentEnd(token), "{}");
      return;
    }
    const [first, ...others] = map.items;
    if (first === undefined) return;
    for (const pair of others) removePair(this, map, pair);
    const item = first.srcToken;
    const [start, end] = item === undefined ? [null, null] : [itemStart(item), itemEnd(item)];
    // A second document must not become the first.
    if (this.way === "small" || start === null || end === null) removePair(this, map, first);
    else this.replace(start, end, "{}");
  }

  /** Writes the first keys of a text that has none: behind its comments. */
  #fillEmpty(lines: string): void {
    const { text } = this;
    const end = EMPTY_DOCUMENT.exec(text);
    const at = end?.[0].length ?? 0;
    const isOpen = at > 0 && !text.slice(0, at).endsWith("\n") && text.slice(0, at) !== "\uFEFF";
    this.replace(at, at, isOpen ? `\n${lines}` : `${lines}\n`);
  }
}

/** A node of the tree; null for an empty value. */
export function nodeOf(value: unknown): Node | null {
  return isNode(value) ? value : null;
}

function pathOf(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function namedPairs({ items }: YAMLMap): Map<string, Pair[]> {
  const pairs = new Map<string, Pair[]>();
  for (const pair of items) {
    if (!isScalar(pair.key)) continue;
    const name = String(pair.key.value);
    pairs.set(name, [...(pairs.get(name) ?? []), pair]);
  }
  return pairs;
}

function anchorOf(node: Node): string | null {
  return ((isScalar(node) || isCollection(node)) && node.anchor) || null;
}
