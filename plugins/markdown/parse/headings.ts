import type { Element, Root } from "hast";
import { eachElement, textOf } from "./elements.js";
import type { Rendered } from "../contract.js";

const CUSTOM_ID = /\{#([\p{L}_][\p{L}\p{N}_:.-]*)\}$/u;

/** The slug of no text: the first, and later ones on the page. */
const EMPTY_SLUG = /^(?:-\d+)?$/;

/** 1 to 6 for a heading, else 0. */
export function headingLevel({ tagName }: Element): number {
  return /^h[1-6]$/.test(tagName) ? Number(tagName.slice(1)) : 0;
}

/** `## Title {#id}`: removes the marker from the text and sets the heading's id. */
export function applyCustomIds(tree: Root): void {
  eachElement(tree, (element) => {
    const last = element.children.at(-1);
    if (headingLevel(element) === 0 || last?.type !== "text") return;
    const match = CUSTOM_ID.exec(last.value.trimEnd());
    if (match === null) return;
    last.value = last.value.slice(0, match.index).trimEnd();
    element.properties["id"] = match[1];
  });
}

/**
 * Names headings whose text has no letters or digits (`_1`, `_2`), and leaves empty ones without an
 * id: a slug of either is empty.
 */
export function nameSymbolHeadings(tree: Root): void {
  let count = 0;
  eachElement(tree, (element) => {
    const { id } = element.properties;
    if (headingLevel(element) === 0 || typeof id !== "string" || !EMPTY_SLUG.test(id)) return;
    delete element.properties["id"];
    if (textOf(element).trim() === "") return;
    count += 1;
    element.properties["id"] = `_${count}`;
  });
}

/** Headings with an id, in document order. */
export function listHeadings(tree: Root): Rendered["headings"] {
  const headings: { level: number; id: string; text: string }[] = [];
  eachElement(tree, (element) => {
    const level = headingLevel(element);
    const { id } = element.properties;
    if (level === 0 || typeof id !== "string" || isFootnoteLabel(id)) return;
    headings.push({ level, id, text: textOf(element).replace(/\s+/g, " ").trim() });
  });
  return headings;
}

/** True for the id of the generated footnotes heading. */
export function isFootnoteLabel(id: unknown): boolean {
  return typeof id === "string" && id.endsWith("footnote-label");
}
