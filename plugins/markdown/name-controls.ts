import type { Element, ElementContent, Nodes, Properties, Root } from "hast";
import { textOf } from "./hast-text.js";

const LONGEST_NAME = 100;
const FRAME = "table-scroll";

/**
 * Makes rendered text usable with a keyboard and a screen reader: boxes of task lists are named by
 * their item and stay disabled; code blocks and tables, which may be wider than the screen, can be
 * focused, so that they can be scrolled, and have a name. Does nothing the second time.
 */
export function nameControls(tree: Root): void {
  visit(tree, { item: null, isFramed: false });
}

interface Place {
  /** The nearest list item; its name once a box has asked for it. */
  item: { element: Element; name?: string } | null;
  /** The table has its frame, or is part of one that has. */
  isFramed: boolean;
}

function visit(parent: Root | Element, place: Place): void {
  for (const [index, node] of parent.children.entries()) {
    if (node.type !== "element") continue;
    nameControl(node, place.item);
    const needsFrame = node.tagName === "table" && !place.isFramed;
    if (needsFrame) parent.children[index] = framed(node);
    visit(node, {
      item: node.tagName === "li" ? { element: node } : place.item,
      isFramed: place.isFramed || needsFrame || isFrame(node),
    });
  }
}

function nameControl(node: Element, item: Place["item"]): void {
  const { tagName, properties } = node;
  if (tagName === "input") nameBox(properties, item);
  if (tagName === "pre") makeScroller(properties, codeName(node));
  if (isFrame(node)) makeScroller(properties, tableName(node));
}

function nameBox(properties: Properties, item: Place["item"]): void {
  if (properties["type"] !== "checkbox") return;
  properties["disabled"] = true;
  const mark = properties["checked"] === true ? "[x]" : "[ ]";
  if (item !== null) item.name ??= shortened(itemText(item.element));
  properties["ariaLabel"] ??= item?.name || mark;
}

/** The text of an item without the lists in it. */
function itemText({ children }: Element): string {
  const own = children.filter((node) => !isElement(node, "ul") && !isElement(node, "ol"));
  return own.map(contentText).join("");
}

function contentText(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? textOf(node) : "";
}

function framed(table: Element): Element {
  const properties: Properties = { className: [FRAME] };
  makeScroller(properties, tableName(table));
  return { type: "element", tagName: "div", properties, children: [table] };
}

function makeScroller(properties: Properties, name: string): void {
  properties["role"] ??= "group";
  properties["ariaLabel"] ??= name;
  properties["tabIndex"] ??= 0;
}

/** The language of a code block, else how it begins. */
function codeName(pre: Element): string {
  const code = pre.children.find((node) => isElement(node, "code"));
  const { className } = code?.type === "element" ? code.properties : {};
  const classes = Array.isArray(className) ? className.map(String) : [];
  const language = classes.find((name) => name.startsWith("language-"))?.slice(9);
  return language || shortened(textOf(pre).trimStart().split("\n", 1)[0] ?? "") || "code";
}

/** The caption of a table, else the words of its first row. */
function tableName(table: Element): string {
  const caption = findFirst(table, "caption");
  const row = caption ?? findFirst(table, "tr");
  if (row === null) return FRAME;
  const words = row === caption ? [textOf(row)] : row.children.map(contentText);
  return (
    shortened(
      words
        .map((word) => word.trim())
        .filter(Boolean)
        .join(", "),
    ) || FRAME
  );
}

function findFirst(within: Element, tagName: string): Element | null {
  for (const node of within.children) {
    if (node.type !== "element") continue;
    const found = node.tagName === tagName ? node : findFirst(node, tagName);
    if (found !== null) return found;
  }
  return null;
}

function isFrame({ tagName, properties: { className } }: Element): boolean {
  return tagName === "div" && Array.isArray(className) && className.includes(FRAME);
}

function isElement(node: Nodes, tagName: string): boolean {
  return node.type === "element" && node.tagName === tagName;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= LONGEST_NAME ? line : `${line.slice(0, LONGEST_NAME).trimEnd()}…`;
}
