/** One cell of a table on the screen: its text, and the cursor in it. */

/** A cell of the grid; the heading is row 0. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** The cell that an event is in. */
export function cellOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement ? target.closest<HTMLElement>(".md-cell") : null;
}

/** Where a cell stands in its table. */
export function placeOf({ dataset }: HTMLElement): Place {
  return { row: Number(dataset["row"]), column: Number(dataset["column"]) };
}

/** The text of a cell, with its marks. */
export function wordsOf(cell: HTMLElement): string {
  return (cell.textContent ?? "").replace(/\u00a0/g, " ");
}

/** The number of characters that a part of a cell's source shows. */
export function readLength(source: string): number {
  return source.replace(/\\([\\|])/g, (both, mark: string) => (mark === "|" ? "|" : both)).length;
}

const INLINE =
  /(\*\*|__)(?=\S)(.+?)\1|(`+)([^`].*?)\3|(?<![\w*])([*_])(?=\S)([^*_]+?)\5(?!\w)|!?\[([^\]]*)\]\([^)\s]*\)/g;

/** Shows a cell's text; marks of formatting are hidden until the cursor is in the cell. */
export function fill(cell: HTMLElement, text: string): void {
  const parts: (Node | string)[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, strong, bold = "", tick, code = "", , soft = "", label = ""] = match;
    const [name, words] =
      strong !== undefined
        ? (["md-strong", bold] as const)
        : tick !== undefined
          ? (["md-code", code] as const)
          : soft === ""
            ? (["md-link", label] as const)
            : (["md-emphasis", soft] as const);
    const at = all.indexOf(words === "" ? "]" : words);
    parts.push(text.slice(from, match.index), span("md-mark", all.slice(0, at)));
    parts.push(span(name, words), span("md-mark", all.slice(at + words.length)));
    from = match.index + all.length;
  }
  cell.replaceChildren(...parts, text.slice(from));
}

function span(className: string, text: string): HTMLElement {
  const element = document.createElement("span");
  element.className = className;
  element.textContent = text;
  return element;
}

/** A cursor without a selection. */
export function edge(at: number): { from: number; to: number } {
  return { from: at, to: at };
}

/** Offsets of the selection in the text of a cell; null when it is elsewhere. */
export function readSelection(cell: HTMLElement): { anchor: number; head: number } | null {
  const selection = getSelection();
  if (selection === null) return null;
  const { anchorNode, focusNode, anchorOffset, focusOffset } = selection;
  if (!cell.contains(anchorNode) || !cell.contains(focusNode)) return null;
  const offset = (node: Node | null, at: number): number => {
    const range = document.createRange();
    range.setStart(cell, 0);
    if (node !== null) range.setEnd(node, at);
    return range.toString().length;
  };
  return { anchor: offset(anchorNode, anchorOffset), head: offset(focusNode, focusOffset) };
}

/** Selects a part of a cell; offsets beyond its end are its end. */
export function setSelection(cell: HTMLElement, from: number, to: number): void {
  getSelection()?.setBaseAndExtent(...placeIn(cell, from), ...placeIn(cell, to));
}

/** A part of a cell; offsets beyond its end are its end. */
export function cellTextRange(cell: HTMLElement, from: number, to: number): Range {
  const range = document.createRange();
  range.setStart(...placeIn(cell, from));
  range.setEnd(...placeIn(cell, to));
  return range;
}

/** The node of a cell's text at an offset, and the offset in it. */
function placeIn(cell: HTMLElement, offset: number): [Node, number] {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  let rest = offset;
  let last: [Node, number] = [cell, 0];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (rest <= length) return [node, rest];
    rest -= length;
    last = [node, length];
  }
  return last;
}

/** True when the cursor can go no further to a side. */
export function isAtEdge(cell: HTMLElement, side: number): boolean {
  const selected = readSelection(cell);
  if (selected === null || selected.anchor !== selected.head) return false;
  return selected.head === (side < 0 ? 0 : wordsOf(cell).length);
}

/** Plain text on one line. */
export function paste(event: ClipboardEvent): void {
  if (cellOf(event.target) === null || event.clipboardData === null) return;
  event.preventDefault();
  event.stopPropagation();
  const text = event.clipboardData.getData("text/plain").replace(/\s*\r?\n\s*/g, " ");
  // The one way that keeps the cursor and fires `input`.
  document.execCommand("insertText", false, text);
}
