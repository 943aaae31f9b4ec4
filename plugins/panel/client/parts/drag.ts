/** Drags items of a list and rows of a tree. Loaded when there is something to drag. */
import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import {
  draggable,
  dropTargetForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import {
  attachInstruction,
  extractInstruction,
  type Instruction,
} from "@atlaskit/pragmatic-drag-and-drop-hitbox/list-item";

/** Lets the items of a list be dragged by their handles, and shows a line where they come; the function returned stops it. */
export function makeSortable(
  list: HTMLElement,
  onMove: (from: number, to: number) => void,
): () => void {
  const items = [...list.children].filter((item) => item instanceof HTMLElement);
  return combine(
    ...items.flatMap((item) => {
      // Its head alone: browsers do not select text with the pointer inside what can be dragged.
      const element = item.querySelector<HTMLElement>(":scope > .item-head");
      const dragHandle = element?.querySelector(":scope > .item-grip");
      if (!element || !dragHandle) return [];
      const source = draggable({ element, dragHandle, getInitialData: () => ({ list, item }) });
      return [source, acceptItem(item, list, onMove)];
    }),
  );
}

/** Accepts the items of this list, and none of another list or of lists inside. */
function acceptItem(
  element: HTMLElement,
  list: HTMLElement,
  onMove: (from: number, to: number) => void,
): () => void {
  const operations = { "reorder-before": "available", "reorder-after": "available" } as const;
  const show = (data: Record<string | symbol, unknown> | null): void => {
    const operation = data === null ? undefined : extractInstruction(data)?.operation;
    if (operation === undefined) delete element.dataset["drop"];
    else element.dataset["drop"] = operation === "reorder-before" ? "before" : "after";
  };
  return dropTargetForElements({
    element,
    canDrop: ({ source: { data } }) => data["list"] === list && data["item"] !== element,
    getData: ({ input }) => attachInstruction({}, { input, element, operations }),
    onDrag: ({ self }) => show(self.data),
    onDragLeave: () => show(null),
    onDrop: ({ self, source: { data } }) => {
      show(null);
      const isBefore = extractInstruction(self.data)?.operation === "reorder-before";
      const order = [...list.children];
      const from = order.findIndex((item) => item === data["item"]);
      const at = order.indexOf(element);
      const to = (isBefore ? at : at + 1) - (from < at ? 1 : 0);
      if (from !== to) onMove(from, to);
    },
  });
}

/** The side of a row at which another one is put. */
export type Side = "before" | "after" | "inside";

/** The tree allows drops, and moves pages after them. */
export interface TreeDrops {
  /** The sides of the row of `target` at which the page `path` may be put. */
  sides(path: string, target: string): readonly Side[];
  drop(path: string, target: string, side: Side): void;
}

const SIDES = { "reorder-before": "before", "reorder-after": "after", combine: "inside" } as const;

/** Lets the rows of a tree be dragged above, below and inside other rows; the function returned stops it. */
export function makeDraggable(root: HTMLElement, drops: TreeDrops): () => void {
  const rows = [...root.querySelectorAll<HTMLElement>("[data-path][role=treeitem]")];
  return combine(...rows.flatMap((row) => [...dragRow(row), acceptRow(row, drops)]));
}

function dragRow(row: HTMLElement): (() => void)[] {
  const dragHandle = row.querySelector(".tree-grip");
  if (dragHandle === null) return [];
  const set = (isDragged: boolean): void => void row.classList.toggle("is-dragged", isDragged);
  return [
    draggable({
      element: row,
      dragHandle,
      getInitialData: () => ({ path: readPath(row) }),
      onDragStart: () => set(true),
      onDrop: () => set(false),
    }),
  ];
}

function acceptRow(row: HTMLElement, { sides, drop }: TreeDrops): () => void {
  const show = (side: Side | null): void => {
    if (side === null) delete row.dataset["drop"];
    else row.dataset["drop"] = side;
  };
  return dropTargetForElements({
    element: row,
    canDrop: ({ source: { data } }) => sides(String(data["path"]), readPath(row)).length > 0,
    getData: ({ input, element, source: { data } }) => {
      const may = sides(String(data["path"]), readPath(row));
      const operations = Object.fromEntries(
        Object.entries(SIDES).map(([name, side]) => [
          name,
          may.includes(side) ? "available" : "not-available",
        ]),
      );
      return attachInstruction({}, { input, element, operations });
    },
    onDrag: ({ self }) => show(readSide(extractInstruction(self.data))),
    onDragLeave: () => show(null),
    onDrop: ({ self, source: { data } }) => {
      show(null);
      const side = readSide(extractInstruction(self.data));
      if (side !== null) drop(String(data["path"]), readPath(row), side);
    },
  });
}

function readSide(instruction: Instruction | null): Side | null {
  return instruction === null ? null : SIDES[instruction.operation];
}

function readPath(row: HTMLElement): string {
  return row.dataset["path"] ?? "";
}
