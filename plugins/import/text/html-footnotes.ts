/** Footnotes that HTML writes as links to a list at its end, as those of Markdown. */
import type { Element, Root } from "hast";
import type { Handle } from "hast-util-to-mdast";
import { toString } from "hast-util-to-string";
import { SKIP, visit } from "unist-util-visit";

const REFERENCE = "site-footnote";
const NOTE = "site-footnote-text";

/** Handlers of `hast-util-to-mdast` for the elements that `markFootnotes` makes. */
export const footnoteHandlers: Record<string, Handle> = {
  [REFERENCE]: (_state, node: Element) => ({ type: "footnoteReference", ...labelOf(node) }),
  [NOTE]: (state, node: Element) => ({
    type: "footnoteDefinition",
    ...labelOf(node),
    children: state
      .toFlow(state.all(node))
      .filter((one) => one.type !== "definition" && one.type !== "footnoteDefinition"),
  }),
};

function labelOf({ properties }: Element): { identifier: string; label: string } {
  const label = String(properties["label"] ?? "");
  return { identifier: label, label };
}

/** A link that may lead to a footnote, and the element that contains nothing else. */
interface Reference {
  readonly node: Element;
  readonly target: string;
}

/**
 * Marks footnotes for the handlers: an entry of a list of footnotes, and the links before that list that lead to it. A
 * link without its entry and an entry without a link stay as they are.
 */
export function markFootnotes(tree: Root): void {
  let pending: Reference[] = [];
  const notes: Element[] = [];
  visit(tree, "element", (node: Element, index, parent) => {
    if (isList(node)) {
      const isEmpty = takeNotes(node, pending, notes);
      pending = [];
      if (!isEmpty || parent === undefined || index === undefined) return SKIP;
      const before = separatorBefore(parent.children, index);
      parent.children.splice(before, index - before + 1);
      return [SKIP, before];
    }
    const target = node.tagName === "sup" || node.tagName === "a" ? targetOf(node) : null;
    if (target === null) return undefined;
    pending.push({ node, target });
    return SKIP;
  });
  tree.children.push(...notes);
}

function isList({ tagName, properties }: Element): boolean {
  if (!["section", "div", "ol", "aside", "footer"].includes(tagName)) return false;
  const classes = properties["className"];
  const names = Array.isArray(classes) ? classes.map(String) : [];
  return (
    names.some((name) => /^(?:footnotes|footnotes-list|wp-block-footnotes)$/.test(name)) ||
    properties["dataFootnotes"] !== undefined ||
    properties["role"] === "doc-endnotes"
  );
}

/** The id that a reference leads to: `<sup><a href="#fn1">1</a></sup>`, or `<a href="#fn1"><sup>1</sup></a>`. */
function targetOf(node: Element): string | null {
  if (node.tagName === "a") return isMarked(node) ? anchorOf(node) : null;
  const inner = node.children.filter(
    (one) => one.type === "element" || toString(one).trim() !== "",
  );
  const [link] = inner;
  if (inner.length !== 1 || link?.type !== "element" || link.tagName !== "a") return null;
  return anchorOf(link);
}

function isMarked({ properties, children }: Element): boolean {
  const classes = Array.isArray(properties["className"]) ? properties["className"] : [];
  const rel = Array.isArray(properties["rel"]) ? properties["rel"] : [];
  return (
    classes.some((name) => /^footnote(?:-ref)?$/.test(String(name))) ||
    rel.includes("footnote") ||
    properties["role"] === "doc-noteref" ||
    properties["dataFootnoteRef"] !== undefined ||
    children.some((one) => one.type === "element" && one.tagName === "sup")
  );
}

function anchorOf({ properties }: Element): string | null {
  const href = properties["href"];
  return typeof href === "string" && /^#./.test(href) ? decoded(href.slice(1)) : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Moves the notes of a list that are linked to `notes`. True when nothing else is in the list. */
function takeNotes(list: Element, pending: readonly Reference[], notes: Element[]): boolean {
  let left = 0;
  visit(list, "element", (item: Element, index, parent) => {
    const id = item.properties["id"];
    if (item.tagName !== "li" || typeof id !== "string") return undefined;
    const references = pending.filter(({ target }) => target === id);
    if (references.length === 0 || parent === undefined || index === undefined) {
      left += 1;
      return SKIP;
    }
    const label = String(notes.length + 1);
    const ids = new Set<string>();
    for (const { node } of references) {
      for (const one of idsIn(node)) ids.add(one);
      Object.assign(node, { tagName: REFERENCE, properties: { label }, children: [] });
    }
    withoutBackLinks(item, ids);
    notes.push({ ...item, tagName: NOTE, properties: { label } });
    parent.children.splice(index, 1);
    return [SKIP, index];
  });
  return left === 0;
}

function idsIn(node: Element): string[] {
  const own = [node.properties["id"]].filter((id) => typeof id === "string");
  return [...own, ...node.children.flatMap((one) => (one.type === "element" ? idsIn(one) : []))];
}

function withoutBackLinks(item: Element, ids: ReadonlySet<string>): void {
  visit(item, "element", (node: Element, index, parent) => {
    if (node.tagName !== "a" || parent === undefined || index === undefined) return undefined;
    const isArrow = /^[\s\u2191\u21a9^]*$/.test(toString(node).replaceAll(/[\ufe0e\ufe0f]/g, ""));
    const target = anchorOf(node);
    if (target === null || !(ids.has(target) || isArrow)) return undefined;
    parent.children.splice(index, 1);
    return index;
  });
}

/** The first of the rule and blank text directly before a list, or the list itself. */
function separatorBefore(children: readonly Root["children"][number][], at: number): number {
  for (let first = at - 1; first >= 0; first -= 1) {
    const before = children[first];
    if (before?.type === "element") return before.tagName === "hr" ? first : at;
    if (before?.type !== "text" || before.value.trim() !== "") break;
  }
  return at;
}
