/**
 * Places of a body that are completed after sanitising. Each has a class that no author can guess,
 * so that no page can contain one, and sanitising keeps it.
 */
import { randomBytes, createHash } from "node:crypto";
import type { Element, ElementContent, Root, RootContent } from "hast";
import { sha256 } from "#lib/secrets";
import { listClasses, elementText } from "../parse/elements.js";
import type { Facts } from "../render/render-job.js";
import type { CodeInfo } from "./code-info.js";
import type { MathOptions } from "./math-styles.js";
import type { RenderMath, Switch, SyntaxModules } from "./switches.js";
import { wikiKey } from "./wiki-links.js";

/** The content that fills a place. */
export type Part =
  | { readonly kind: "code"; readonly info: CodeInfo }
  | { readonly kind: "tabs"; readonly labels: readonly string[] }
  | { readonly kind: "math"; readonly tex: string; readonly isDisplay: boolean }
  | { readonly kind: "wiki"; readonly name: string; readonly source: string; readonly line: number }
  | { readonly kind: "toc" }
  | { readonly kind: "diagram" };

/** The places of one body. */
export class Parts {
  readonly #token = `part-${randomBytes(12).toString("hex")}-`;
  readonly #all: Part[] = [];

  get all(): readonly Part[] {
    return this.#all;
  }

  /** Returns the class of the place. */
  add(part: Part): string {
    this.#all.push(part);
    return `${this.#token}${this.#all.length - 1}`;
  }

  /** The part whose place this element is, and removes its class. */
  take(element: Element): Part | null {
    const at = this.#indexOf(element);
    if (at === null) return null;
    const names = listClasses(element).filter((name) => !name.startsWith(this.#token));
    if (names.length === 0) delete element.properties["className"];
    else element.properties["className"] = names;
    return this.#all[at] ?? null;
  }

  /** The part whose place this element is. */
  peek(element: Element): Part | null {
    const at = this.#indexOf(element);
    return at === null ? null : (this.#all[at] ?? null);
  }

  #indexOf(element: Element): number | null {
    if (this.#all.length === 0) return null;
    const className = listClasses(element).find((name) => name.startsWith(this.#token));
    return className === undefined ? null : Number(className.slice(this.#token.length));
  }
}

/** A body while it is transformed. */
export interface TransformContext {
  /** The text as it was parsed. */
  readonly source: string;
  /** Container lines as written, by the parsed ones. */
  readonly written: ReadonlyMap<string, string>;
  readonly needed: ReadonlySet<Switch>;
  readonly lang: string;
  readonly parts: Parts;
  readonly modules: SyntaxModules;
}

type Parent = Root | Element;

/** Elements of completed places that later steps fill. */
interface Finished {
  /** The display of code blocks, by their `code` element. */
  readonly codes: ReadonlyMap<Element, CodeInfo>;
  /** The elements of `[[toc]]`. */
  readonly tocs: readonly Element[];
  /** The elements of formulas, and their HTML. */
  readonly math: readonly Formula[];
}

/** A formula and its place. */
interface Formula extends MathOptions {
  readonly element: Element;
  readonly tex: string;
}

/** Points wiki links to their pages; those without one become their source again. */
export function resolveWikiLinks(tree: Root, parts: Parts, facts: Facts): void {
  replaceEach(tree, (element) => {
    const part = parts.peek(element);
    if (part?.kind !== "wiki") return null;
    const fact = facts.get(wikiKey(part.line, part.name));
    if (fact === undefined) return [{ type: "text", value: part.source }];
    parts.take(element);
    element.properties["href"] = fact.url;
    return [element];
  });
}

/** Completes everything else; runs on the sanitised tree. */
export function finishParts(tree: Root, parts: Parts): Finished {
  const finished = { codes: new Map(), tocs: [], math: [], groups: new Map() };
  replaceEach(tree, (element) => {
    const [child] = element.children;
    const target = element.tagName === "pre" && child?.type === "element" ? child : element;
    const part = parts.take(target);
    return part === null ? null : finishPart(element, target, part, finished);
  });
  return finished;
}

interface Collected {
  readonly codes: Map<Element, CodeInfo>;
  readonly tocs: Element[];
  readonly math: Formula[];
  /** Number of tab groups by their content. */
  readonly groups: Map<string, number>;
}

/** `place` is the element with the class, which is the inner one of a code block. */
function finishPart(
  element: Element,
  target: Element,
  part: Part,
  { codes, tocs, math, groups }: Collected,
): readonly RootContent[] | null {
  if (part.kind === "code") {
    codes.set(target, part.info);
    return part.info.title === null ? null : [titled(element, part.info.title)];
  }
  if (part.kind === "diagram") return [wrapped(element, "div", ["diagram"])];
  if (part.kind === "tabs") {
    finishTabs(element, part.labels, groups);
    return null;
  }
  if (part.kind === "toc") tocs.push(element);
  if (part.kind === "math") math.push({ element, tex: part.tex, isDisplay: part.isDisplay });
  return [element];
}

function titled(pre: Element, title: string): Element {
  pre.properties["ariaLabel"] = title;
  const figure = wrapped(pre, "figure", ["code-block"]);
  const caption: Element = {
    type: "element",
    tagName: "figcaption",
    properties: { className: ["code-title"] },
    children: [{ type: "text", value: title }],
  };
  figure.children.unshift(caption);
  return figure;
}

function wrapped(element: Element, tagName: string, className: string[]): Element {
  const wrapper: Element = {
    type: "element",
    tagName,
    properties: { className },
    children: [element],
  };
  if (element.position !== undefined) wrapper.position = element.position;
  return wrapper;
}

/**
 * Radio buttons choose the panel: they work without scripts, and by keyboard. Each panel follows its
 * label, so that the text is in order without styles too.
 */
function finishTabs(
  element: Element,
  labels: readonly string[],
  groups: Map<string, number>,
): void {
  const panels = element.children.filter((child) => child.type === "element");
  const digest = sha256(panels.map(elementText).join("\0")).slice(0, 8);
  const count = (groups.get(digest) ?? 0) + 1;
  groups.set(digest, count);
  const name = count === 1 ? `tabs-${digest}` : `tabs-${digest}-${count}`;
  element.properties["className"] = ["tabs"];
  element.children = panels.flatMap((panel, at) => [
    tabLabel(labels[at] ?? String(at + 1), name, at === 0),
    panel,
  ]);
}

function tabLabel(label: string, name: string, checked: boolean): Element {
  const input: Element = {
    type: "element",
    tagName: "input",
    properties: { type: "radio", name, ...(checked && { checked }) },
    children: [],
  };
  return {
    type: "element",
    tagName: "label",
    properties: { className: ["tab-label"] },
    children: [input, { type: "text", value: label }],
  };
}

/** Replaces the elements of formulas in finished HTML, where each is a mark. */
export function withMath(html: string, marks: ReadonlyMap<string, string>): string {
  if (marks.size === 0) return html;
  return html.replace(/\0?math-[\da-f]{24}-\d+-/g, (mark) => marks.get(mark) ?? mark);
}

/** Puts a mark in the place of each formula, and returns their HTML by mark. */
export function markMath(
  math: Finished["math"],
  token: string,
  render: RenderMath | undefined,
): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  if (render === undefined) return marks;
  for (const [at, { element, tex, isDisplay }] of math.entries()) {
    const mark = `math-${token}-${at}-`;
    marks.set(mark, render(tex, { isDisplay }));
    element.properties["className"] = [isDisplay ? "math-display" : "math"];
    element.children = [{ type: "text", value: mark }];
  }
  return marks;
}

/** Marks footnotes that a theme may show beside the text. */
export function markMarginNotes(tree: Root): void {
  for (const child of tree.children) {
    if (child.type !== "element" || child.properties["dataFootnotes"] === undefined) continue;
    child.properties["className"] = [...listClasses(child), "margin-notes"];
  }
}

/** Replaces elements in document order; null keeps an element and visits its children. */
function replaceEach(
  parent: Parent,
  replace: (element: Element) => readonly RootContent[] | null,
): void {
  const next: RootContent[] = [];
  for (const child of parent.children) {
    const nodes = child.type === "element" ? replace(child) : null;
    if (nodes === null) {
      if (child.type === "element") replaceEach(child, replace);
      next.push(child);
    } else next.push(...nodes);
  }
  parent.children = next as ElementContent[];
}

/** Elements out of a tree, whose places remain in it. */
interface SetAside {
  /** Puts the elements into their places, as far as these are still there. */
  putBack(tree: Root): void;
}

/**
 * Replaces the elements of `tree` that are also in `before`, with all they contain. The class of a
 * place is one that no author can guess.
 */
export function setAside(tree: Root, before: Root): SetAside {
  const former = new Set(digestAll(before).values());
  const digests = digestAll(tree);
  const token = `kept-${randomBytes(12).toString("hex")}-`;
  const unchanged: Element[] = [];
  replace(tree, (element) => {
    if (!former.has(digests.get(element) ?? "")) return null;
    unchanged.push(element);
    const className = [`${token}${unchanged.length - 1}`];
    return { type: "element", tagName: "span", properties: { className }, children: [] };
  });
  return {
    putBack: (clean) => replace(clean, (element) => unchanged[readNumber(element, token)] ?? null),
  };
}

/** The number of a place; -1 for any other element. */
function readNumber(element: Element, token: string): number {
  const className = listClasses(element).find((name) => name.startsWith(token));
  return className === undefined ? -1 : Number(className.slice(token.length));
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
function digestAll(tree: Root): Map<Element, string> {
  const digests = new Map<Element, string>();
  const digestElement = (element: Element): string => {
    const hash = createHash("sha256");
    hash.update(JSON.stringify([element.tagName, element.properties]));
    for (const child of element.children) {
      hash.update(
        child.type === "element"
          ? digestElement(child)
          : JSON.stringify("value" in child ? [child.value] : []),
      );
    }
    const digest = hash.digest("base64");
    digests.set(element, digest);
    return digest;
  };
  for (const child of tree.children) if (child.type === "element") digestElement(child);
  return digests;
}
