/** Drags items of one list; a line shows where they come. */
import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine";
import {
  draggable,
  dropTargetForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import {
  attachInstruction,
  extractInstruction,
} from "@atlaskit/pragmatic-drag-and-drop-hitbox/list-item";

/** Lets the items of a list be dragged by their handles; the function returned stops it. */
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
      return [source, place(item, list, onMove)];
    }),
  );
}

/** Items of another list, and of lists inside, are not accepted. */
function place(
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
