/** Where the parts of a YAML text stand, by the tokens of the package `yaml`. */
import type { CST, Node } from "yaml";

type Item = CST.CollectionItem;

const BLANK: ReadonlySet<string> = new Set(["space", "newline", "comment", "comma"]);

/** Where the value of a key, or of an item of a list, stands. */
export interface ValuePlace {
  /** Behind the colon or the dash. */
  readonly head: number;
  /** The first character of the value, its anchor and tag included; null without a value. */
  readonly start: number | null;
  /** Behind the last character of the value; `head` without a value. */
  readonly end: number;
  /** The end of the last comment between `head` and the value; null without one. */
  readonly commentEnd: number | null;
  /** The name of the anchor; null without one. */
  readonly anchor: string | null;
  readonly hasTag: boolean;
}

/** A value in the text: of a key, or of an item of a list. */
export interface Slot {
  readonly node: Node | null;
  readonly place: ValuePlace;
  /** Column of the key or of the dash. */
  readonly column: number;
  readonly isPair: boolean;
  readonly isFlow: boolean;
  /** The dotted name, for messages. */
  readonly path: string;
}

/** Behind the last character of a token's content; white space and comments behind it do not count. */
export function contentEnd(token: CST.Token): number {
  switch (token.type) {
    case "block-scalar": {
      const head = token.props.reduce((sum, prop) => sum + lengthOf(prop), 0);
      const end = token.offset + head + token.source.length;
      const last = token.source === "" ? token.props.map(sourceOf).join("") : token.source;
      return end - (/\r?\n$/.exec(last)?.[0].length ?? 0);
    }
    case "flow-collection": {
      const bracket = token.end.find(({ type }) => type.endsWith("-end"));
      return bracket === undefined ? token.offset : bracket.offset + bracket.source.length;
    }
    case "block-map":
    case "block-seq":
      return token.items.reduce<number>(
        (end, item) => Math.max(end, itemEnd(item) ?? end),
        token.offset,
      );
    default:
      return token.offset + lengthOf(token);
  }
}

/** The first character of an item of a collection; null for one of white space and comments. */
export function itemStart({ start, key, sep, value }: Item): number | null {
  const first = start.find(isSolid) ?? key ?? sep?.find(isSolid) ?? value;
  return first?.offset ?? null;
}

/** Behind the last character of an item; null for one of white space and comments. */
export function itemEnd({ start, key, sep, value }: Item): number | null {
  const sign = sep?.findLast(isSolid);
  const last = value ?? sign ?? key ?? start.findLast(isSolid);
  if (last === undefined) return null;
  // A value may be empty: then its colon, anchor or tag is the last character.
  return Math.max(contentEnd(last), sign === undefined ? 0 : contentEnd(sign));
}

/** Where the value of a pair or of an item of a list stands; null where neither colon nor dash is written. */
export function valuePlace(item: Item, isPair: boolean): ValuePlace | null {
  const tokens = isPair ? (item.sep ?? []) : item.start;
  const sign = isPair ? "map-value-ind" : "seq-item-ind";
  const at = tokens.findIndex(({ type }) => type === sign);
  const mark = tokens[at];
  if (mark === undefined) return null;
  const head = mark.offset + mark.source.length;
  const behind = tokens.slice(at + 1);
  const { value } = item;
  const first = behind.find(isSolid) ?? value;
  const start = first?.offset ?? null;
  const comment = behind.findLast(
    ({ type, offset }) => type === "comment" && (start === null || offset < start),
  );
  const last = value ?? behind.findLast(isSolid);
  const anchor = behind.find(({ type }) => type === "anchor");
  return {
    head,
    start,
    end: last === undefined ? head : Math.max(head, contentEnd(last)),
    commentEnd:
      comment === undefined || start === null ? null : comment.offset + comment.source.length,
    anchor: anchor?.source.slice(1) ?? null,
    hasTag: behind.some(({ type }) => type === "tag"),
  };
}

/** True for tokens that are neither white space nor comment. */
function isSolid({ type }: CST.SourceToken): boolean {
  return !BLANK.has(type);
}

function sourceOf(token: CST.Token): string {
  return "source" in token ? token.source : "";
}

function lengthOf(token: CST.Token): number {
  return sourceOf(token).length;
}

/** The start of the line that a position is in. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** The end of the line that a position is in, before its line break. */
export function lineEnd(text: string, at: number): number {
  const next = text.indexOf("\n", at);
  if (next === -1) return text.length;
  return next > at && text[next - 1] === "\r" ? next - 1 : next;
}

/** Characters between the start of the line and a position; a byte order mark has no width. */
export function columnOf(text: string, at: number): number {
  const start = lineStart(text, at);
  return at - start - (start === 0 && text.startsWith("\uFEFF") && at > 0 ? 1 : 0);
}
