/** Elements that a change of HTML left as they were. */
import { createHash, randomBytes } from "node:crypto";
import type { Element, Root } from "hast";
import { classesOf } from "../../parse/elements.js";

/** Elements out of a tree, whose places remain in it. */
export interface SetAside {
  /** Puts the elements into their places, as far as these are still there. */
  putBack(tree: Root): void;
}

/**
 * Replaces the elements of `tree` that are also in `before`, with all they contain. The class of a
 * place is one that no author can guess.
 */
export function setAside(tree: Root, before: Root): SetAside {
  const known = new Set(digestsOf(before).values());
  const digests = digestsOf(tree);
  const token = `kept-${randomBytes(12).toString("hex")}-`;
  const kept: Element[] = [];
  replace(tree, (element) => {
    if (!known.has(digests.get(element) ?? "")) return null;
    kept.push(element);
    const className = [`${token}${kept.length - 1}`];
    return { type: "element", tagName: "span", properties: { className }, children: [] };
  });
  return { putBack: (clean) => replace(clean, (element) => kept[placeOf(element, token)] ?? null) };
}

/** The number of a place; -1 for any other element. */
function placeOf(element: Element, token: string): number {
  const own = classesOf(element).find((name) => name.startsWith(token));
  return own === undefined ? -1 : Number(own.slice(token.length));
}

/** Replaces elements from the outside to the inside; null looks into an element. */
function replace(parent: Root | Element, replacement: (element: Element) => Element | null): void {
  for (const [at, child] of parent.children.entries()) {
    if (child.type !== "element") continue;
    const next = replacement(child);
    if (next === null) replace(child, replacement);
    else parent.children[at] = next;
  }
}

/** Digests of all elements with their content, each from those of its children. */
function digestsOf(tree: Root): Map<Element, string> {
  const digests = new Map<Element, string>();
  const digestOf = (element: Element): string => {
    const hash = createHash("sha256");
    hash.update(JSON.stringify([element.tagName, element.properties]));
    for (const child of element.children) {
      hash.update(child.type === "element" ? digestOf(child) : JSON.stringify(valueOf(child)));
    }
    const digest = hash.digest("base64");
    digests.set(element, digest);
    return digest;
  };
  for (const child of tree.children) if (child.type === "element") digestOf(child);
  return digests;
}

function valueOf(node: object): readonly unknown[] {
  return "value" in node ? [node.value] : [];
}
