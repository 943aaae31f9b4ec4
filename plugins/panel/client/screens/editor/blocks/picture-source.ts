/** The texts in the Markdown of a picture, and changes of them that leave the other characters alone. */
import { differingRange } from "../text/body-text.js";

/** Characters that a text between these marks cannot have without a backslash. */
export type Closing = "]" | '"' | "'" | ")";

/** A part of a source: one character, or two for one behind a backslash. */
function* parts(source: string, closing: Closing): Generator<{ shown: string; length: number }> {
  for (let at = 0; at < source.length;) {
    const next = source[at + 1] ?? "";
    const isEscaped =
      source[at] === "\\" &&
      (next === "\\" || next === closing || (closing === "]" && next === "["));
    const shown = isEscaped ? next : (source[at] ?? "");
    const length = isEscaped ? 2 : 1;
    yield { shown, length };
    at += length;
  }
}

/** The text as it is read. */
export function shownText(source: string, closing: Closing): string {
  return [...parts(source, closing)].map(({ shown }) => shown).join("");
}

/** The change of a source that makes it read as `text`; null when it does. */
export function textChange(
  source: string,
  text: string,
  closing: Closing,
): { from: number; to: number; insert: string } | null {
  const change = differingRange(shownText(source, closing), text.replace(/\s*\n\s*/g, " "));
  if (change === null) return null;
  const offsets = [0];
  for (const { length } of parts(source, closing)) offsets.push((offsets.at(-1) ?? 0) + length);
  const [from = 0, to = 0] = [offsets[change.from], offsets[change.to]];
  return { from, to, insert: escapeText(change.insert, closing) };
}

/** Text that may stand before a closing mark. */
export function escapeText(text: string, closing: Closing): string {
  return text.replace(closing === "]" ? /[[\]\\]/g : /["'()\\]/g, (mark) =>
    mark === "\\" || mark === closing || closing === "]" ? `\\${mark}` : mark,
  );
}

/** An address that shows a smaller variant; 0 shows the file itself. Other parameters stay. */
export function withWidth(address: string, width: number): string {
  const isBracketed = address.startsWith("<");
  const [path = "", query = ""] = address.replace(/^<|>$/g, "").split("?", 2);
  const others = query.split("&").filter((one) => one !== "" && !/^(?:w|width)=/.test(one));
  const next = [...others, ...(width === 0 ? [] : [`width=${width}`])].join("&");
  const whole = next === "" ? path : `${path}?${next}`;
  return isBracketed ? `<${whole}>` : whole;
}

/** The width in an address; 0 for the file itself. */
export function widthOf(address: string): number {
  return Number(/[?&](?:w|width)=(\d+)/.exec(address)?.[1] ?? 0);
}
