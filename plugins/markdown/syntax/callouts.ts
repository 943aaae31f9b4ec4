/** GitHub alerts (`> [!NOTE]`) and callouts (`:::note`) as one element. */
import type { Properties } from "hast";
import type { Blockquote, Paragraph, PhrasingContent, RootContent } from "mdast";
import { wordOf } from "./words.js";

const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\r?\n|\r|$)/i;

/** What a node becomes in HTML. */
export function asElement(
  hName: string,
  className: readonly string[],
  more: Properties = {},
): { hName: string; hProperties: Properties } {
  const properties = className.length === 0 ? {} : { className: [...className] };
  return { hName, hProperties: { ...properties, ...more } };
}

/** Content of a callout: a title, then the rest. */
export function calloutChildren(
  title: readonly PhrasingContent[],
  children: readonly RootContent[],
): RootContent[] {
  const data = asElement("p", ["callout-title"]);
  return [{ type: "paragraph", data, children: [...title] }, ...children];
}

/**
 * Turns a block quote into a callout if its first line is only `[!NOTE]` or another kind, as GitHub
 * does. Returns whether it did. Not a package: those at hand draw icons that sanitising removes, and
 * take text after the marker.
 */
export function toAlert(quote: Blockquote, source: string, lang: string): boolean {
  const [first, ...others] = quote.children;
  if (first?.type !== "paragraph") return false;
  const kind = alertKind(first, source);
  const rest = kind === null ? [] : [...withoutMarker(first), ...others];
  if (kind === null || rest.length === 0) return false;
  quote.data = asElement("div", ["callout", `callout-${kind}`], { role: "note" });
  const title: PhrasingContent = { type: "text", value: wordOf(kind, lang) };
  quote.children = calloutChildren([title], rest) as Blockquote["children"];
  return true;
}

function alertKind({ children: [start, next] }: Paragraph, source: string): string | null {
  if (start?.type !== "text") return null;
  const kind = ALERT.exec(start.value)?.[1]?.toLowerCase();
  if (kind === undefined) return null;
  return /[\r\n]/.test(start.value) || endsLine(next, start, source) ? kind : null;
}

/** The paragraph after its first line; nothing when that was all of it. */
function withoutMarker({ position, children: [start, ...more] }: Paragraph): Paragraph[] {
  const text = start?.type === "text" ? start.value.replace(ALERT, "") : "";
  const rest = more[0]?.type === "break" && text === "" ? more.slice(1) : more;
  const children: PhrasingContent[] = text === "" ? rest : [{ type: "text", value: text }, ...rest];
  if (children.length === 0) return [];
  return [{ type: "paragraph", children, ...(position && { position }) }];
}

/** True when nothing but a line break follows the text on its line. */
function endsLine(
  next: PhrasingContent | undefined,
  { position }: PhrasingContent,
  source: string,
): boolean {
  if (next === undefined || next.type === "break") return true;
  const end = position?.end.offset;
  return end !== undefined && /[\r\n]/.test(source[end] ?? "");
}
