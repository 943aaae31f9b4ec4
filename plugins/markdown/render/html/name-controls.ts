import type { Element, ElementContent, Nodes, Properties, Root } from "hast";
import { elementText } from "../../parse/elements.js";

const MAX_NAME_LENGTH = 100;
const FRAME = "table-scroll";

/**
 * Makes rendered text accessible by keyboard and screen reader. Checkboxes of task lists are
 * disabled and named after their item. Code blocks and tables, which may scroll, are focusable and
 * named. Idempotent.
 */
export function nameControls(tree: Root): void {
  visit(tree, { item: null, isFramed: false });
}

interface Context {
  /** The nearest list item; `name` is set on first use. */
  item: { element: Element; name?: string } | null;
  /** True inside a table that is already framed. */
  isFramed: boolean;
}

function visit(parent: Root | Element, context: Context): void {
  for (const [index, node] of parent.children.entries()) {
    if (node.type !== "element") continue;
    nameControl(node, context.item);
    const needsFrame = node.tagName === "table" && !context.isFramed;
    if (needsFrame) parent.children[index] = framed(node);
    visit(node, {
      item: node.tagName === "li" ? { element: node } : context.item,
      isFramed: context.isFramed || needsFrame || isFrame(node),
    });
  }
}

function nameControl(node: Element, item: Context["item"]): void {
  const { tagName, properties } = node;
  if (tagName === "input") nameBox(properties, item);
  if (tagName === "pre") makeScroller(properties, codeName(node));
  if (isFrame(node)) makeScroller(properties, tableName(node));
}

function nameBox(properties: Properties, item: Context["item"]): void {
  if (properties["type"] !== "checkbox") return;
  properties["disabled"] = true;
  const mark = properties["checked"] === true ? "[x]" : "[ ]";
  if (item !== null) item.name ??= shortened(itemText(item.element));
  properties["ariaLabel"] ??= item?.name || mark;
}

/** The text of an item without nested lists. */
function itemText({ children }: Element): string {
  const direct = children.filter((node) => !isElement(node, "ul") && !isElement(node, "ol"));
  return direct.map(contentText).join("");
}

function contentText(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? elementText(node) : "";
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

/** The language of a code block, else its first line. */
function codeName(pre: Element): string {
  const code = pre.children.find((node) => isElement(node, "code"));
  const { className } = code?.type === "element" ? code.properties : {};
  const classes = Array.isArray(className) ? className.map(String) : [];
  const language = classes.find((name) => name.startsWith("language-"))?.slice(9);
  return language || shortened(elementText(pre).trimStart().split("\n", 1)[0] ?? "") || "code";
}

/** The caption of a table, else the text of its first row. */
function tableName(table: Element): string {
  const caption = findFirst(table, "caption");
  const row = caption ?? findFirst(table, "tr");
  if (row === null) return FRAME;
  const words = row === caption ? [elementText(row)] : row.children.map(contentText);
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
    const match = node.tagName === tagName ? node : findFirst(node, tagName);
    if (match !== null) return match;
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
  return line.length <= MAX_NAME_LENGTH ? line : `${line.slice(0, MAX_NAME_LENGTH).trimEnd()}…`;
}
