/** Adds keys to a map and removes them. */
import { isScalar, type CST, type Node, type Pair, type YAMLMap } from "yaml";
import { flowText, keyText, pairText, type TextStyle, type Way } from "./render.js";
import { columnOf, itemEnd, itemStart, lineEnd, lineStart } from "./tokens.js";
import { YamlEditError } from "./values.js";

/** The editor of the text that a map stands in. */
export interface PairEditor {
  readonly text: string;
  readonly way: Way;
  replace(from: number, to: number, insert: string): void;
  styleFor(like: Node | null): TextStyle;
}
/** New keys, and where they go. */
interface Addition {
  readonly added: ReadonlyMap<string, unknown>;
  readonly removed: ReadonlySet<Pair>;
  /** The key in whose place they stand; undefined: behind the last key that stays. */
  readonly instead: Pair | undefined;
}
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where a key with its value stands. @throws YamlEditError where that is not clear. */
function rangeOf({ text }: PairEditor, pair: Pair | undefined): Range {
  const item = pair?.srcToken;
  const [start, end] = item === undefined ? [null, null] : [itemStart(item), itemEnd(item)];
  if (start !== null && end !== null) return { start, end };
  const key = isScalar(pair?.key) ? pair.key : null;
  const place = { key: String(key?.value ?? ""), at: key?.range?.[0] ?? 0 };
  throw new YamlEditError("cannot be changed exactly", place, text);
}

/** Removes a key with the comment behind its value; comments above it stay. */
export function removePair(to: PairEditor, map: YAMLMap, pair: Pair): void {
  const { start, end } = rangeOf(to, pair);
  const { text } = to;
  if (map.srcToken?.type === "flow-collection") {
    removeInBrackets(to, map.srcToken.items, { item: pair.srcToken, start, end });
    return;
  }
  const from = lineStart(text, start);
  if (text.slice(from, start).replace("\uFEFF", "").trim() === "") {
    removeLines(to, { start: from, end });
    return;
  }
  // The first key behind a dash: what follows moves up to the dash.
  const next = text.indexOf("\n", lineEnd(text, end)) + 1;
  const column = columnOf(text, start);
  const lead = next === 0 ? "" : text.slice(next, next + column);
  const isAligned = column > 0 && /^ +$/.test(lead) && lead.length === column;
  to.replace(start, isAligned ? next + column : lineEnd(text, end), "");
}

/** `start`: of the first line. */
function removeLines(to: PairEditor, { start, end }: Range): void {
  const { text, way } = to;
  const from = start === 0 && text.startsWith("\uFEFF") ? 1 : start;
  const lineBreak = text.indexOf("\n", lineEnd(text, end));
  if (lineBreak !== -1) {
    to.replace(from, way === "small" ? lineBreak + 1 : nextText(text, lineBreak), "");
  } else if (way === "small" && start > 0) {
    // The text still ends without a line break.
    to.replace(lineEnd(text, start - 1), text.length, "");
  } else to.replace(from, text.length, "");
}

/** Behind a line end and the empty lines after it: a text above that keeps its last lines would take them. */
function nextText(text: string, at: number): number {
  return at + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(at))?.[0].length ?? 0);
}

/** Removes an entry in brackets, with its comma and with the line that is left empty. */
function removeInBrackets(
  to: PairEditor,
  items: readonly CST.CollectionItem[],
  { item, start, end }: Range & { readonly item: CST.CollectionItem | undefined },
): void {
  const { text } = to;
  // The comma before an entry is part of it; behind a last comma stands an entry without contents.
  const following = item === undefined ? undefined : items[items.indexOf(item) + 1];
  const after = following?.start.find(isComma);
  if (after !== undefined && following !== undefined && itemStart(following) !== null) {
    const until = spaceEnd(text, after.offset + 1);
    // Looked for in this order: all entries may stand on one long line.
    const from = isLineEnd(text, until) ? lineStart(text, start) : start;
    const isOwnLine = isLineEnd(text, until) && text.slice(from, start).trim() === "";
    to.replace(isOwnLine ? from : start, isOwnLine ? text.indexOf("\n", until) + 1 : until, "");
    return;
  }
  const before = item?.start.findLast(isComma);
  const from = before === undefined ? start : before.offset;
  const isCommented = text.slice(from, start).includes("#");
  if (isCommented && before !== undefined) {
    to.replace(before.offset, before.offset + 1, "");
    to.replace(start, end, "");
  } else to.replace(from, end, "");
}

function isComma({ type }: CST.SourceToken): boolean {
  return type === "comma";
}

/** Behind the spaces and tabs at a position. */
function spaceEnd(text: string, at: number): number {
  let end = at;
  while (text[end] === " " || text[end] === "\t") end += 1;
  return end;
}

function isLineEnd(text: string, at: number): boolean {
  return text[at] === "\n" || (text[at] === "\r" && text[at + 1] === "\n");
}

/** Writes new keys, in the style of the map. */
export function addPairs(to: PairEditor, map: YAMLMap, addition: Addition): void {
  const { added, removed, instead } = addition;
  const last = instead ?? map.items.findLast((pair) => !removed.has(pair));
  const range = rangeOf(to, last);
  if (map.srcToken?.type === "flow-collection") {
    addInBrackets(to, added, { ...range, isInstead: instead !== undefined });
    return;
  }
  const { text } = to;
  const column = columnOf(text, range.start);
  const pad = " ".repeat(column);
  const lines = pairLines(to, added, column);
  const tail = last?.srcToken?.value;
  if (instead !== undefined) to.replace(range.start, range.end, lines.join(`\n${pad}`));
  else if (range.end === text.length && tail !== undefined && endsInBlock(tail)) {
    // Behind it, the text of the last key would have a line end more.
    const before = map.items[map.items.findIndex((pair) => pair === last) - 1]?.srcToken;
    const least = (before && itemEnd(before)) ?? 0;
    // Empty lines may belong to a text above that keeps its last lines.
    const above = to.way === "small" ? /^\uFEFF?[ \t]*(?:#.*)?\r?$/ : /^\uFEFF?[ \t]*#.*\r?$/;
    const at = startAbove(text, range.start, least, above);
    const isAbove = at < range.start;
    to.replace(
      at,
      at,
      lines.map((line) => (isAbove ? `${pad}${line}\n` : `${line}\n${pad}`)).join(""),
    );
  } else {
    const at = lineEnd(text, range.end);
    to.replace(at, at, lines.map((line) => `\n${pad}${line}`).join(""));
  }
}

function endsInBlock(token: CST.Token): boolean {
  if (token.type === "block-scalar") return true;
  if (token.type !== "block-map" && token.type !== "block-seq") return false;
  const last = token.items.findLast((item) => itemStart(item) !== null)?.value;
  return last !== undefined && endsInBlock(last);
}

/** The start of the lines above a key that match, if the key is the first on its line. */
function startAbove(text: string, start: number, least: number, line: RegExp): number {
  let at = lineStart(text, start);
  if (text.slice(at, start).replace("\uFEFF", "").trim() !== "") return start;
  while (at > least + 1) {
    const above = lineStart(text, at - 1);
    if (above < least || !line.test(text.slice(above, at - 1))) break;
    at = above;
  }
  return at === 0 && text.startsWith("\uFEFF") ? 1 : at;
}

function addInBrackets(
  to: PairEditor,
  added: ReadonlyMap<string, unknown>,
  { start, end, isInstead }: Range & { readonly isInstead: boolean },
): void {
  const style = to.styleFor(null);
  const pairs = [...added].map(
    ([name, value]) => `${keyText(name, true)}: ${flowText(value, style)}`,
  );
  const line = to.text.slice(lineStart(to.text, start), start);
  const gap = line.trim() === "" && line !== "" ? `,\n${line}` : ", ";
  if (isInstead) to.replace(start, end, pairs.join(gap));
  else to.replace(end, end, gap + pairs.join(gap));
}

/** Keys and values as lines; all but the first line of a value are indented below `column`. */
export function pairLines(
  to: PairEditor,
  values: Iterable<readonly [string, unknown]>,
  column: number,
): string[] {
  const style = to.styleFor(null);
  return [...values].map(
    ([name, value]) => `${keyText(name, false)}:${pairText(value, column, style)}`,
  );
}
