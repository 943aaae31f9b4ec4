import type { Element, Root, Text } from "hast";
import { eachElement } from "../../parse/elements.js";

const NBSP = "\u00a0";

/** Puts a non-breaking space before the last word of every paragraph; only changes text nodes. */
export function protectOrphans(tree: Root): void {
  eachElement(tree, (element) => {
    if (element.tagName === "p") protectParagraph(element);
  });
}

function protectParagraph(paragraph: Element): void {
  let inWord = false;
  let pending: Gap | null = null;
  for (const leaf of leavesFromTheEnd(paragraph)) {
    if (leaf === "break") return;
    // White space at the start of a text separates words only if something precedes it.
    if (pending !== null) return join(pending);
    if (leaf === "word") {
      inWord = true;
      continue;
    }
    const end = inWord ? leaf.value.length : endOfText(leaf.value);
    if (end === 0) continue;
    inWord = true;
    const gap = lastGap(leaf, end);
    if (gap !== null && gap.start > 0) return join(gap);
    pending = gap;
  }
}

function join({ leaf, start, end }: Gap): void {
  leaf.value = leaf.value.slice(0, start) + NBSP + leaf.value.slice(end);
}

/** White space between two words. */
interface Gap {
  leaf: Text;
  start: number;
  end: number;
}

type Leaf = Text | "word" | "break";

const OPAQUE = new Set(["code", "kbd", "samp", "var", "img", "picture", "video", "audio", "input"]);

function* leavesFromTheEnd(parent: Element): Generator<Leaf> {
  for (const child of parent.children.toReversed()) {
    if (child.type === "text") yield child;
    if (child.type !== "element") continue;
    if (child.tagName === "br") yield "break";
    else if (OPAQUE.has(child.tagName)) yield "word";
    else yield* leavesFromTheEnd(child);
  }
}

function endOfText(value: string): number {
  let end = value.length;
  while (end > 0 && isSpace(value, end - 1)) end -= 1;
  return end;
}

// The last white space before `end`; null if it contains a non-breaking space.
function lastGap(leaf: Text, end: number): Gap | null {
  const { value } = leaf;
  let gapEnd = end;
  while (gapEnd > 0 && !isSpace(value, gapEnd - 1)) {
    if (value[gapEnd - 1] === NBSP) return { leaf, start: gapEnd - 1, end: gapEnd };
    gapEnd -= 1;
  }
  if (gapEnd === 0) return null;
  let start = gapEnd;
  while (start > 0 && isSpace(value, start - 1)) start -= 1;
  return { leaf, start, end: gapEnd };
}

function isSpace(value: string, index: number): boolean {
  const code = value.charCodeAt(index);
  return code === 32 || (code >= 9 && code <= 13);
}
