/** Lists whose items come, go or change places: items that stay keep their text with their comments. */
import { isNode, type CST, type Node, type YAMLSeq } from "yaml";
import { flowText, itemText, type TextStyle } from "./render.js";
import { columnOf, itemEnd, itemStart, lineEnd, valuePlace, type Slot } from "./tokens.js";

/** The editor of the text that a list stands in. */
export interface ListEditor {
  readonly text: string;
  replace(from: number, to: number, insert: string): void;
  valueOf(node: Node | null): unknown;
  styleFor(like: Node | null): TextStyle;
  /** An item of a list; null where its text is not clear. */
  itemSlot(list: YAMLSeq, at: number, path: string): Slot | null;
  setValue(slot: Slot, value: unknown): void;
}

/** A list in the text and its new items. */
interface ListChange {
  readonly list: YAMLSeq;
  readonly value: readonly unknown[];
  /** The dotted name, for messages. */
  readonly path: string;
}
/** The part of a list that differs: old items from `start` to `end`, and their replacement. */
interface Difference {
  readonly start: number;
  readonly end: number;
  readonly items: readonly unknown[];
  /** For each new item the place of an equal one before; undefined for new ones. */
  readonly origins: readonly (number | undefined)[];
}

/** Adds the edits that give a list these items. False when the whole list must be rewritten. */
export function listEdits(to: ListEditor, { list, value, path }: ListChange): boolean {
  if (list.items.length === 0 || value.length === 0) return false;
  const old = list.items.map((item) => JSON.stringify(to.valueOf(isNode(item) ? item : null)));
  const next = value.map((item) => JSON.stringify(item));
  const { start, end } = commonEnds(old, next);
  const last = end + next.length - old.length;
  const known = new Set(old.slice(start, end));
  const isReplaced = end - start === last - start;
  if (
    isReplaced &&
    next.slice(start, last).every((item, at) => item === old[start + at] || !known.has(item))
  ) {
    const slots = value
      .slice(start, last)
      .map((item, at) => ({ item, slot: to.itemSlot(list, start + at, path) }));
    if (slots.some(({ slot }) => slot === null)) return false;
    for (const { item, slot } of slots) if (slot !== null) to.setValue(slot, item);
    return true;
  }
  const isFromStart = start === 0 && last === 0 && end < old.length;
  // Without new items, the item that follows moves to the start.
  const [until, most] = isFromStart ? [end + 1, last + 1] : [end, last];
  const difference = {
    start,
    end: until,
    items: value.slice(start, most),
    origins: originsOf(old.slice(start, until), next.slice(start, most)),
  };
  const token = list.srcToken;
  if (token?.type === "block-seq") return blockEdits(to, { list, token }, difference);
  return token?.type === "flow-collection" && flowEdits(to, { list, token }, difference);
}

function commonEnds(old: readonly (string | undefined)[], next: readonly (string | undefined)[]) {
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && old[start] === next[start]) start += 1;
  let same = 0;
  while (same < most - start && old.at(-1 - same) === next.at(-1 - same)) same += 1;
  return { start, end: old.length - same };
}

function originsOf(
  old: readonly (string | undefined)[],
  next: readonly (string | undefined)[],
): readonly (number | undefined)[] {
  const free = new Map<string | undefined, number[]>();
  for (const [at, text] of old.entries()) free.set(text, [...(free.get(text) ?? []), at]);
  return next.map((text) => free.get(text)?.shift());
}

interface Unit {
  /** Lines above the item that belong to it: comments and empty lines. */
  readonly lead: string;
  /** From the dash to the end of the last line. */
  readonly body: string;
}

function blockEdits(
  to: ListEditor,
  { list, token }: { list: YAMLSeq; token: CST.BlockSequence },
  { start, end, items, origins }: Difference,
): boolean {
  const { text } = to;
  const parts = token.items.flatMap((item) => {
    const [dash, last] = [valuePlace(item, false), itemEnd(item)];
    return dash === null || last === null
      ? []
      : [{ dash: dash.head - 1, end: lineEnd(text, last) }];
  });
  const [first] = parts;
  if (first === undefined || parts.length !== list.items.length) return false;
  const column = columnOf(text, first.dash);
  const pad = " ".repeat(column);
  const style = to.styleFor(sampleOf(list));
  const units = parts.slice(start, end).map(({ dash, end: last }, at): Unit => {
    const before = parts[start + at - 1];
    return {
      lead: before === undefined ? "" : leadOf(text, before.end, dash),
      body: text.slice(dash, last),
    };
  });
  const composed = origins.map((from, at): Unit => {
    const known = from === undefined ? undefined : units[from];
    return known ?? { lead: "", body: `-${itemText(items[at], column, style)}` };
  });
  const before = parts[start - 1];
  const behind = parts[end - 1];
  if (before !== undefined) {
    const insert = composed.map(({ lead, body }) => `\n${lead}${pad}${body}`).join("");
    to.replace(before.end, end > start ? (behind?.end ?? before.end) : before.end, insert);
    return true;
  }
  const lines = composed.map(({ lead, body }, at) => {
    if (at > 0) return `\n${lead}${pad}${body}`;
    return lead.trim() === "" ? body : `${lead.trimStart()}${pad}${body}`;
  });
  if (end > start) to.replace(first.dash, behind?.end ?? first.dash, lines.join(""));
  else to.replace(first.dash, first.dash, `${lines.join("")}\n${pad}`);
  return true;
}

function leadOf(text: string, end: number, dash: number): string {
  const start = text.indexOf("\n", end) + 1;
  return start > dash ? "" : text.slice(start, dash - columnOf(text, dash));
}

function flowEdits(
  to: ListEditor,
  { list, token }: { list: YAMLSeq; token: CST.FlowCollection },
  { start, end, items, origins }: Difference,
): boolean {
  const { text } = to;
  const ranges = token.items.flatMap((item) => {
    const [from, until] = [itemStart(item), itemEnd(item)];
    return from === null || until === null ? [] : [{ from, until }];
  });
  const [first, second] = ranges;
  const last = ranges.at(-1);
  if (first === undefined || last === undefined || ranges.length !== list.items.length)
    return false;
  if (/(?:^|\s)#/.test(text.slice(first.from, last.until))) return false;
  const gap = second === undefined ? ", " : text.slice(first.until, second.from);
  const style = to.styleFor(sampleOf(list));
  const written = origins.map((origin, at) => {
    const range = origin === undefined ? undefined : ranges[start + origin];
    return range === undefined ? flowText(items[at], style) : text.slice(range.from, range.until);
  });
  const [before, from, behind] = [ranges[start - 1], ranges[start], ranges[end - 1]];
  if (end > start && written.length > 0 && from !== undefined && behind !== undefined) {
    to.replace(from.from, behind.until, written.join(gap));
  } else if (before !== undefined) {
    to.replace(
      before.until,
      behind?.until ?? before.until,
      written.map((item) => gap + item).join(""),
    );
  } else to.replace(first.from, first.from, written.map((item) => item + gap).join(""));
  return true;
}

/** The item whose style new items have. */
function sampleOf({ items }: YAMLSeq) {
  const sample = items.findLast(isNode);
  return sample ?? null;
}
