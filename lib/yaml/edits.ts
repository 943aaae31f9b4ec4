/** The edits of a text that make a change of its values; each is as small as the text around it allows. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { CST } from "yaml";
import { listEdits, type ListEditor } from "./list-edits.js";
import {
  flowText,
  isOneLine,
  itemText,
  keyText,
  pairText,
  type FileStyle,
  type TextStyle,
} from "./render.js";
import {
  columnOf,
  contentEnd,
  itemEnd,
  itemStart,
  lineEnd,
  lineStart,
  valuePlace,
  type Slot,
} from "./tokens.js";
import { changedValue, deltasBetween, isEqualValue, isPlainMap, type Delta } from "./values.js";
import { YamlEditError } from "./yaml-edit-error.js";

/** A part of the text that is replaced. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}
/** How an edit is tried: each way has edits that are larger, or plainer, than the one before. */
export type Way = "small" | "quoted" | "whole";

const MAX_ALIASES = 100;
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

  constructor(
    { text, document }: { readonly text: string; readonly document: Document.Parsed },
    style: FileStyle,
    way: Way,
  ) {
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
    const lines = this.#pairLines(next, 0).join("\n");
    const range = contents?.range;
    if (isMap(contents) && range) this.replace(range[0], range[1], lines);
    else this.#fillEmpty(lines);
  }

  /** Gives a value in the text another value. */
  setValue(slot: Slot, value: unknown): void {
    const { node } = slot;
    const before = this.valueOf(node);
    if (node !== null && isEqualValue(before, value)) return;
    if (this.way !== "whole" && !isAlias(node) && !slot.place.hasTag) {
      const isFilled = isPlainMap(value) && Object.keys(value).length > 0 && isPlainMap(before);
      if (isMap(node) && node.items.length > 0 && isFilled) {
        if (this.#changeMap(node, deltasBetween(before, value), slot.path)) return;
      } else if (isSeq(node) && Array.isArray(value) && this.#changeList(node, value, slot)) {
        return;
      } else if (this.#replaceScalar(slot, value)) return;
    }
    this.#replaceWhole(slot, value);
  }

  #changeList(list: YAMLSeq, value: readonly unknown[], slot: Slot): boolean {
    return listEdits(this, { list, value, path: slot.path });
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
    const slot = { node, isPair: false, path: path === "" ? String(at) : `${path}.${at}` };
    if (token?.type === "block-seq") {
      const item = token.items.filter((one) => itemStart(one) !== null)[at];
      const place = item === undefined ? null : valuePlace(item, false);
      if (place === null) return null;
      return { ...slot, place, column: columnOf(this.text, place.head - 1), isFlow: false };
    }
    const range = node?.range;
    if (token?.type !== "flow-collection" || !range || node?.srcToken === undefined) return null;
    const item = token.items.find(({ value }) => value === node.srcToken);
    const start = item === undefined ? null : itemStart(item);
    if (start === null) return null;
    const place = {
      head: start,
      start,
      end: contentEnd(node.srcToken),
      commentEnd: null,
      anchor: anchorOf(node),
      hasTag: node.tag !== undefined && !isCollectionTag(node),
    };
    return { ...slot, place, column: 0, isFlow: true };
  }

  /** An error about a value, with its line. */
  failure({ path, place, node }: Slot, problem: string): YamlEditError {
    return new YamlEditError(problem, { key: path, at: node?.range?.[0] ?? place.head }, this.text);
  }

  /** False when nothing would be left in the map. */
  #changeMap(map: YAMLMap, deltas: ReadonlyMap<string, Delta>, path: string): boolean {
    const pairs = namedPairs(map);
    const removed: Pair[] = [];
    const added: Record<string, unknown> = Object.create(null);
    const changes: (() => void)[] = [];
    for (const [name, delta] of deltas) {
      const at = path === "" ? name : `${path}.${name}`;
      const [pair, other] = pairs.get(name) ?? [];
      if (pair === undefined) {
        const value = changedValue(undefined, delta);
        if (value !== undefined) added[name] = value;
      } else if (other !== undefined) {
        const offset = nodeOf(other.key)?.range?.[0] ?? 0;
        throw new YamlEditError("is written twice; remove one", { key: at, at: offset }, this.text);
      } else if (delta.kind === "remove") removed.push(pair);
      else changes.push(() => this.#changePair(map, pair, { delta, path: at }));
    }
    const isEmptied = removed.length === map.items.length;
    if (isEmptied && Object.keys(added).length === 0) return false;
    for (const change of changes) change();
    const kept = isEmptied ? removed.slice(0, 1) : [];
    for (const pair of removed) if (!kept.includes(pair)) this.#removePair(map, pair);
    if (Object.keys(added).length > 0) this.#addPairs(map, { added, removed, instead: kept[0] });
    return true;
  }

  #changePair(map: YAMLMap, pair: Pair, { delta, path }: { delta: Delta; path: string }): void {
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

  #removePair(map: YAMLMap, pair: Pair): void {
    const item = pair.srcToken;
    const [start, end] = item === undefined ? [null, null] : [itemStart(item), itemEnd(item)];
    if (start === null || end === null) throw this.#unclear(pair);
    if (map.srcToken?.type === "flow-collection") {
      this.#removeFrom(map.srcToken, { start, end });
      return;
    }
    const { text } = this;
    const from = lineStart(text, start);
    const to = text.indexOf("\n", lineEnd(text, end));
    const isOwnLine = text.slice(from, start).replace("\uFEFF", "").trim() === "";
    if (isOwnLine) {
      const mark = from === 0 && text.startsWith("\uFEFF") ? 1 : 0;
      if (to !== -1)
        this.replace(from + mark, this.way === "small" ? to + 1 : nextText(text, to), "");
      else if (this.way === "small" && from > 0)
        this.replace(from - breakBefore(text, from), text.length, "");
      else this.replace(from + mark, text.length, "");
      return;
    }
    // The first key behind a dash: what follows moves up to the dash.
    const column = columnOf(text, start);
    const next = to === -1 ? "" : text.slice(to + 1, to + 1 + column);
    const isAligned =
      column > 0 && next.length === column && next.trim() === "" && !next.includes("\n");
    this.replace(start, isAligned ? to + 1 + column : lineEnd(text, end), "");
  }

  /** Removes an entry in brackets, with its comma and with the line that is left empty. */
  #removeFrom(token: CST.FlowCollection, { start, end }: { start: number; end: number }): void {
    const { text } = this;
    const commas = token.items.flatMap((item) => item.start.filter(({ type }) => type === "comma"));
    const after = commas.find(({ offset }) => offset >= end);
    const next = token.items.find((item) => (itemStart(item) ?? 0) > end);
    if (after !== undefined && next !== undefined) {
      const behind = /^[ \t]*/.exec(text.slice(after.offset + 1))?.[0].length ?? 0;
      const to = after.offset + 1 + behind;
      const from = lineStart(text, start);
      const isOwnLine = text.slice(from, start).trim() === "" && /^\r?\n/.test(text.slice(to));
      this.replace(isOwnLine ? from : start, isOwnLine ? text.indexOf("\n", to) + 1 : to, "");
      return;
    }
    const before = commas.findLast(({ offset }) => offset < start);
    const from = before === undefined ? start : before.offset;
    const isCommented = text.slice(from, start).includes("#");
    if (isCommented && before !== undefined) {
      this.replace(before.offset, before.offset + 1, "");
      this.replace(start, end, "");
    } else this.replace(from, end, "");
  }

  #addPairs(
    map: YAMLMap,
    {
      added,
      removed,
      instead,
    }: {
      added: Readonly<Record<string, unknown>>;
      removed: readonly Pair[];
      instead: Pair | undefined;
    },
  ): void {
    const last = instead ?? map.items.findLast((pair) => !removed.includes(pair));
    const item = last?.srcToken;
    const [start, end] = item === undefined ? [null, null] : [itemStart(item), itemEnd(item)];
    if (item === undefined || start === null || end === null) throw this.#unclear(map.items[0]);
    if (map.srcToken?.type === "flow-collection") {
      this.#addInBrackets(added, { start, end, isInstead: instead !== undefined });
      return;
    }
    const column = columnOf(this.text, start);
    const pad = " ".repeat(column);
    const lines = this.#pairLines(added, column);
    const tail = item.value ?? null;
    if (instead !== undefined) this.replace(start, end, lines.join(`\n${pad}`));
    else if (end === this.text.length && tail !== null && endsInBlock(tail)) {
      // Behind it, the text of the last key would have a line end more.
      const before = map.items[map.items.findIndex((pair) => pair === last) - 1]?.srcToken;
      const at = this.#startAbove(start, (before && itemEnd(before)) ?? 0);
      const isOwnLine = at === lineStart(this.text, at) || this.text[at - 1] === "\uFEFF";
      const [lead, trail] = isOwnLine && at < start ? [pad, ""] : ["", pad];
      const text = lines.map((line) => `${lead}${line}\n${trail}`).join("");
      this.replace(at, at, text);
    } else {
      const at = lineEnd(this.text, end);
      this.replace(at, at, lines.map((line) => `\n${pad}${line}`).join(""));
    }
  }

  /** The start of the comments and empty lines above a key that is the first on its line. */
  #startAbove(start: number, least: number): number {
    const { text } = this;
    let at = lineStart(text, start);
    if (text.slice(at, start).replace("\uFEFF", "").trim() !== "") return start;
    while (at > least + 1) {
      const above = lineStart(text, at - 1);
      if (above < least || !/^\uFEFF?[ \t]*(?:#.*)?\r?$/.test(text.slice(above, at - 1))) break;
      at = above;
    }
    return at === 0 && text.startsWith("\uFEFF") ? 1 : at;
  }

  #addInBrackets(
    added: Readonly<Record<string, unknown>>,
    { start, end, isInstead }: { start: number; end: number; isInstead: boolean },
  ): void {
    const style = this.styleFor(null);
    const pairs = Object.entries(added).map(
      ([name, value]) => `${keyText(name, true)}: ${flowText(value, style)}`,
    );
    const line = this.text.slice(lineStart(this.text, start), start);
    const gap = line.trim() === "" && line !== "" ? `,\n${line}` : ", ";
    if (isInstead) this.replace(start, end, pairs.join(gap));
    else this.replace(end, end, gap + pairs.join(gap));
  }

  #pairLines(values: Readonly<Record<string, unknown>>, column: number): string[] {
    const style = this.styleFor(null);
    return Object.entries(values).map(
      ([name, value]) => `${keyText(name, false)}:${pairText(value, column, style)}`,
    );
  }

  #emptyRoot(map: YAMLMap): void {
    const { srcToken: token } = map;
    if (token?.type === "flow-collection") {
      this.replace(token.offset, contentEnd(token), "{}");
      return;
    }
    const [first, ...others] = map.items;
    if (first === undefined) return;
    for (const pair of others) this.#removePair(map, pair);
    const item = first.srcToken;
    const [start, end] = item === undefined ? [null, null] : [itemStart(item), itemEnd(item)];
    // A second document must not become the first.
    if (this.way === "small" || start === null || end === null) this.#removePair(map, first);
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

  #unclear(pair: Pair | undefined): YamlEditError {
    const at = nodeOf(pair?.key)?.range?.[0] ?? 0;
    return new YamlEditError(
      "cannot be changed exactly",
      { key: String(pair?.key ?? ""), at },
      this.text,
    );
  }
}

/** A node of the tree; null for an empty value. */
export function nodeOf(value: unknown): Node | null {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
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
  return isAlias(node)
    ? null
    : ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor) || null;
}

function isCollectionTag(node: Node): boolean {
  return isMap(node) || isSeq(node);
}

function endsInBlock(token: CST.Token): boolean {
  if (token.type === "block-scalar") return true;
  if (token.type !== "block-map" && token.type !== "block-seq") return false;
  const last = token.items.findLast((item) => itemStart(item) !== null)?.value;
  return last !== undefined && endsInBlock(last);
}

/** Behind a line end and the empty lines after it: a text above that keeps its last lines would take them. */
function nextText(text: string, at: number): number {
  return at + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(at))?.[0].length ?? 0);
}

function breakBefore(text: string, at: number): number {
  return text[at - 2] === "\r" ? 2 : 1;
}
