/** Turns pasted HTML into Markdown; loaded with the first paste that has formatting. */
import { fromDom } from "hast-util-from-dom";
import { sanitize } from "hast-util-sanitize";
import { toMdast } from "hast-util-to-mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";

/** What Markdown or the clipboard cannot contain, with the number of each. */
export interface Lost {
  pictures: number;
  comments: number;
  /** Cells that span others. */
  merged: number;
  /** Videos, drawings, forms. */
  objects: number;
}

/** Markdown of an HTML fragment. */
export interface PastedText {
  readonly markdown: string;
  readonly lost: Lost;
}

/** Elements of a slice, after which the browser may do other work. */
const SLICE = 150;

/**
 * Markdown of an HTML fragment: no scripts, no styles, no addresses that run something. A long text is
 * converted in slices; `onProgress` gets the part that is done, from 0 to 1.
 */
export async function htmlToMarkdown(
  html: string,
  onProgress: (part: number) => void = () => undefined,
): Promise<PastedText> {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const lost = clean(body);
  const slices = sliced(body);
  const parts: string[] = [];
  for (const [at, slice] of slices.entries()) {
    if (at > 0) {
      onProgress(at / slices.length);
      await new Promise((resolve) => setTimeout(resolve));
    }
    parts.push(convert(slice));
  }
  return { markdown: parts.filter((part) => part !== "").join("\n\n"), lost };
}

function convert(part: DocumentFragment | HTMLElement): string {
  return toMarkdown(toMdast(sanitize(fromDom(part))), {
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    bullet: "-",
    emphasis: "*",
    rule: "-",
    resourceLink: true,
  }).trim();
}

const INLINE =
  /^(?:A|ABBR|B|BDI|BDO|BR|CITE|CODE|DEL|DFN|EM|I|IMG|INPUT|INS|KBD|MARK|Q|S|SAMP|SMALL|SPAN|STRONG|SUB|SUP|TIME|U|VAR|WBR)$/;

/** Parts of the text that are converted one after the other; words that stand together stay together. */
function sliced(body: HTMLElement): (DocumentFragment | HTMLElement)[] {
  let root = body;
  // Word processors wrap everything into one element.
  for (let only = onlyChild(root); only !== null; only = onlyChild(root)) root = only;
  if (root.querySelectorAll("*").length <= SLICE) return [body];
  const slices: DocumentFragment[] = [];
  let count = Infinity;
  let before: Node | null = null;
  // Nodes leave the list while it is read.
  for (const node of Array.from(root.childNodes)) {
    // Lists that follow one another need each other's marks.
    const isWord = !(node instanceof Element) || INLINE.test(node.tagName);
    const isList = /^(?:UL|OL)$/.test(node.nodeName) && /^(?:UL|OL)$/.test(before?.nodeName ?? "");
    if (count > SLICE && !isWord && !isList) {
      slices.push(document.createDocumentFragment());
      count = 0;
    }
    const slice = slices.at(-1) ?? document.createDocumentFragment();
    if (slices.length === 0) slices.push(slice);
    slice.append(node);
    count += 1 + (node instanceof Element ? node.querySelectorAll("*").length : 0);
    before = node;
  }
  return slices;
}

function onlyChild(root: HTMLElement): HTMLElement | null {
  const parts = [...root.childNodes].filter(
    (node) => !(node instanceof Comment) && node.textContent?.trim() !== "",
  );
  const [only] = parts;
  const isWrapper =
    only instanceof HTMLElement && /^(?:DIV|B|SPAN|ARTICLE|SECTION|MAIN)$/.test(only.tagName);
  return isWrapper && parts.length === 1 && only.querySelector("p, div, ul, ol, table, h1, h2, h3")
    ? only
    : null;
}

function clean(body: HTMLElement): Lost {
  const lost: Lost = { pictures: 0, comments: 0, merged: 0, objects: 0 };
  for (const part of body.querySelectorAll("script, style, title, template, meta, link"))
    part.remove();
  lost.comments = removeComments(body);
  lost.pictures = removePictures(body);
  for (const part of body.querySelectorAll(OBJECTS)) {
    lost.objects += 1;
    if (part.matches("form")) part.replaceWith(...part.childNodes);
    else part.remove();
  }
  for (const link of body.querySelectorAll("a")) {
    const href = link.getAttribute("href") ?? "";
    // Word names its own places: `#_Toc1`.
    const isKept = /^(?:https?:|mailto:|tel:|\/|#(?!_))/i.test(href);
    if (!isKept) link.replaceWith(...link.childNodes);
  }
  showStyles(body);
  showWordLists(body);
  showLists(body);
  lost.merged = showTables(body);
  // Word ends and separates paragraphs with these.
  for (const part of body.querySelectorAll("p, o\\:p, h1, h2, h3, h4, h5, h6")) {
    if (part.querySelector("img, input") === null && blank(part.textContent) === "") part.remove();
  }
  return lost;
}

const OBJECTS = "video, audio, iframe, object, embed, canvas, svg, form";

/** Removes comments of Word; their number. */
function removeComments(body: HTMLElement): number {
  let count = 0;
  const marks = "[style*='mso-comment-reference'], .MsoCommentReference";
  for (const part of body.querySelectorAll(`[style*='mso-comment'], ${marks}, .MsoCommentText`)) {
    if (!part.isConnected) continue;
    const isComment = part.matches(".MsoCommentText");
    if (isComment) count += 1;
    if (isComment || part.matches(marks)) part.remove();
    else part.replaceWith(...part.childNodes);
  }
  return count;
}

/** Removes pictures that only the other program has; their number. */
function removePictures(body: HTMLElement): number {
  let count = 0;
  for (const image of body.querySelectorAll("img")) {
    if (/^https?:/i.test(image.getAttribute("src") ?? "")) continue;
    // The mark of a list of tasks is a picture without words.
    if (image.closest("[role=checkbox]") === null) count += 1;
    image.remove();
  }
  return count;
}

/** A text without the spaces that do not break, which word processors write everywhere. */
function blank(text: string | null): string {
  return (text ?? "").replace(/[\s\u00A0]+/g, " ").trim();
}

/** Word processors write emphasis as styles, and wrap everything into a `b` that is not bold. */
function showStyles(body: HTMLElement): void {
  for (const part of body.querySelectorAll<HTMLElement>("b[style], span[style]")) {
    // As text: the security policy of the panel takes styles away.
    const style = part.getAttribute("style") ?? "";
    const isBold = /font-weight:\s*(?:bold|[6-9]00)/i.test(style);
    const isPlain = part.localName === "b" && /font-weight:\s*(?:normal|400)/i.test(style);
    if (isPlain) part.replaceWith(...part.childNodes);
    else if (part.localName === "span" && part.textContent?.trim() !== "") {
      if (isBold && part.closest("h1, h2, h3, h4, h5, h6, th") === null) wrap(part, "strong");
      if (/font-style:\s*italic/i.test(style)) wrap(part, "em");
      if (/text-decoration:[^;]*line-through/i.test(style)) wrap(part, "del");
    }
  }
  for (const title of body.querySelectorAll("p.MsoTitle")) rename(title, "h2");
  // Headings are bold by themselves.
  for (const mark of body.querySelectorAll(":is(h1, h2, h3, h4, h5, h6) :is(b, strong)")) {
    mark.replaceWith(...mark.childNodes);
  }
}

function wrap(part: HTMLElement, name: "strong" | "em" | "del"): void {
  const mark = part.ownerDocument.createElement(name);
  mark.append(...part.childNodes);
  part.append(mark);
}

function rename(part: Element, name: string): Element {
  const element = part.ownerDocument.createElement(name);
  element.append(...part.childNodes);
  part.replaceWith(element);
  return element;
}

const WORD_ITEMS = "[style*='mso-list']:is(p, h1, h2, h3, h4, h5, h6)";
const WORD_MARKS = "[style*='mso-list:Ignore'], [style*='mso-list: Ignore']";

/** Word writes items of lists as paragraphs with a level, and their marks as text. */
function showWordLists(body: HTMLElement): void {
  let open: HTMLElement[] = [];
  for (const item of body.querySelectorAll<HTMLElement>(WORD_ITEMS)) {
    const style = item.getAttribute("style") ?? "";
    const level = Number(/mso-list:[^;]*level(\d)/i.exec(style)?.[1] ?? 0);
    const mark = item.querySelector(WORD_MARKS);
    const isNumber = /^(?:\d{1,3}|[a-z]{1,4})[.)]/i.test(blank(mark?.textContent ?? ""));
    mark?.remove();
    // A numbered heading stays a heading.
    if (level === 0 || item.localName !== "p") continue;
    const [outermost] = open;
    if (outermost === undefined || nextElement(outermost) !== item) open = [];
    openLists(open, item, { level, name: isNumber ? "ol" : "ul" });
    const entry = body.ownerDocument.createElement("li");
    entry.append(...item.childNodes);
    open.at(-1)?.append(entry);
    item.remove();
  }
}

/** Closes and opens lists until one of the item's level is the last of those that are open. */
function openLists(
  open: HTMLElement[],
  item: HTMLElement,
  { level, name }: { readonly level: number; readonly name: "ol" | "ul" },
): void {
  open.length = Math.min(open.length, level);
  if (open.length === level && open.at(-1)?.localName !== name) open.pop();
  while (open.length < level) {
    const list = item.ownerDocument.createElement(name);
    const outer = open.at(-1);
    if (outer === undefined) item.before(list);
    else {
      const entry = outer.lastElementChild ?? item.ownerDocument.createElement("li");
      entry.append(list);
      if (!entry.isConnected) outer.append(entry);
    }
    open.push(list);
  }
}

/** The element behind another one, without words between them. */
function nextElement(part: Element): Element | null {
  let node = part.nextSibling;
  while (node !== null && !(node instanceof Element)) {
    if (node instanceof Text && node.data.trim() !== "") return null;
    node = node.nextSibling;
  }
  return node;
}

function showLists(body: HTMLElement): void {
  // A list right inside a list belongs to the item before it.
  for (const list of body.querySelectorAll(":is(ul, ol) > :is(ul, ol)")) {
    const before = list.previousElementSibling;
    if (before?.localName === "li") before.append(list);
  }
  for (const item of body.querySelectorAll("li")) {
    const paragraphs = [...item.children].filter(({ localName }) => localName === "p");
    const [only] = paragraphs;
    if (paragraphs.length === 1 && only !== undefined) only.replaceWith(...only.childNodes);
    showTask(item);
  }
}

/** Items of tasks in Google Docs and Notion. */
function showTask(item: Element): void {
  const first = item.firstChild;
  const written = first instanceof Text ? /^\s*\[([ xX]?)\]\s+/.exec(first.data) : null;
  const box = item.querySelector(":scope > .checkbox");
  const role = item.getAttribute("role") === "checkbox" ? item.getAttribute("aria-checked") : null;
  if (written === null && box === null && role === null) return;
  if (first instanceof Text && written !== null) first.data = first.data.slice(written[0].length);
  const input = item.ownerDocument.createElement("input");
  input.type = "checkbox";
  const isChecked =
    role === "true" ||
    box?.classList.contains("checkbox-on") === true ||
    /x/i.test(written?.[1] ?? "");
  if (isChecked) input.setAttribute("checked", "");
  box?.remove();
  item.prepend(input, " ");
}

/** Tables of spreadsheets: the first row is the heading; the number of cells that span others. */
function showTables(body: HTMLElement): number {
  let merged = 0;
  for (const table of body.querySelectorAll("table")) {
    for (const cell of table.querySelectorAll("td, th")) {
      if (/^(?:[2-9]|\d\d+)$/.test(cell.getAttribute("colspan") ?? "")) merged += 1;
      else if (/^(?:[2-9]|\d\d+)$/.test(cell.getAttribute("rowspan") ?? "")) merged += 1;
      // A cell is one line.
      for (const line of cell.querySelectorAll("br")) line.replaceWith(" ");
      for (const part of cell.querySelectorAll("p, div, li")) part.append(" ");
    }
    if (table.querySelector("th") === null) {
      for (const cell of table.querySelectorAll("tr:first-of-type > td")) {
        if (cell.closest("tr") === table.querySelector("tr")) rename(cell, "th");
      }
    }
  }
  return merged;
}
