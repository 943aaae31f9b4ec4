/** Lists whose items come, go or change places: items that stay keep their text with their comments. */
import { isSeq, type CST, type Node, type YAMLSeq } from "yaml";
import { columnOf, lineEnd, nodeOf, trimmedEnd, type Source } from "./yaml-places.js";
import { flowText, itemText, type Edit } from "./yaml-text.js";

/** A list before and after; items as JSON to compare them. */
export interface ListChange {
  readonly value: readonly unknown[];
  readonly old: readonly (string | undefined)[];
  readonly next: readonly (string | undefined)[];
}

/** The edit that replaces the list's items; null where the text of an item is not clear. */
export function recomposed(
  source: Source,
  list: YAMLSeq,
  change: ListChange,
): readonly Edit[] | null {
  if (change.value.length === 0 || list.items.length === 0) return null;
  return list.flow === true ? flowList(source, list, change) : blockList(source, list, change);
}

/** For each new item the place of an equal one before; undefined for new ones. */
function origins({ old, next }: ListChange): readonly (number | undefined)[] {
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

function blockList({ text }: Source, list: YAMLSeq, change: ListChange): readonly Edit[] | null {
  const dashes = dashesOf(list);
  const items = list.items.map(nodeOf);
  const [first] = dashes;
  if (first === undefined || dashes.length !== items.length) return null;
  const ends = items.map((item, at) => bodyEnd(text, item, dashes[at] ?? 0));
  const indent = columnOf(text, first);
  const units = dashes.map((dash, at): Unit => ({
    lead: at === 0 ? "" : leadOf(text, ends[at - 1] ?? 0, dash),
    body: text.slice(dash, ends[at]),
  }));
  const composed = origins(change).map((from, at): Unit => {
    const known = from === undefined ? undefined : units[from];
    return known ?? { lead: "", body: `- ${itemText(change.value[at], { indent })}` };
  });
  const pad = " ".repeat(indent);
  const insert = composed
    .map(({ lead, body }, at) => {
      if (at > 0) return `\n${lead}${pad}${body}`;
      return lead.trim() === "" ? body : `${lead.trimStart()}${pad}${body}`;
    })
    .join("");
  return [{ from: first, to: ends.at(-1) ?? first, insert }];
}

function dashesOf({ srcToken }: YAMLSeq): readonly number[] {
  if (srcToken?.type !== "block-seq") return [];
  return srcToken.items.flatMap(({ start }) => {
    const dash = start.find((token: CST.SourceToken) => token.type === "seq-item-ind");
    return dash === undefined ? [] : [dash.offset];
  });
}

/** The end of the last line of an item, with the comment behind it. */
function bodyEnd(text: string, item: Node | null, dash: number): number {
  return lineEnd(text, trimmedEnd(text, item?.range?.[1] ?? dash + 1, dash + 1));
}

function leadOf(text: string, end: number, dash: number): string {
  const start = text.indexOf("\n", end) + 1;
  return text.slice(start, dash - columnOf(text, dash));
}

function flowList({ text }: Source, list: YAMLSeq, change: ListChange): readonly Edit[] | null {
  const [from = 0, to = 0] = list.range ?? [];
  const ranges = list.items.map((item) => nodeOf(item)?.range ?? null);
  const [first, last] = [ranges[0], ranges.at(-1)];
  const isPlain = !/[\n#&*!]/.test(text.slice(from, to)) && isSeq(list);
  if (!first || !last || ranges.includes(null) || !isPlain) return null;
  const items = origins(change).map((origin, at) => {
    const range = origin === undefined ? null : ranges[origin];
    return range ? text.slice(range[0], range[1]) : flowText(change.value[at]);
  });
  return [{ from: first[0], to: last[1], insert: items.join(", ") }];
}
