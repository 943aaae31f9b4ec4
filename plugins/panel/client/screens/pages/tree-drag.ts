/** Drags rows of the tree: every visible row is a place, above, below or inside. */
import {
  attachInstruction,
  extractInstruction,
  type Instruction,
} from "@atlaskit/pragmatic-drag-and-drop-hitbox/list-item";
import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import {
  draggable,
  dropTargetForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import type { Side } from "./tree.js";

/** The tree allows drops, and moves pages after them. */
export interface TreeDrops {
  /** The sides of the row of `target` at which the page `path` may be put. */
  sides(path: string, target: string): readonly Side[];
  drop(path: string, target: string, side: Side): void;
}

const SIDES = { "reorder-before": "before", "reorder-after": "after", combine: "inside" } as const;

/** Lets the rows of the tree be dragged by their handles; the function returned stops it. */
export function makeDraggable(root: HTMLElement, drops: TreeDrops): () => void {
  const rows = [...root.querySelectorAll<HTMLElement>("[data-path][role=treeitem]")];
  return combine(...rows.flatMap((row) => [...source(row), target(row, drops)]));
}

function source(row: HTMLElement): (() => void)[] {
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

function target(row: HTMLElement, { sides, drop }: TreeDrops): () => void {
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
