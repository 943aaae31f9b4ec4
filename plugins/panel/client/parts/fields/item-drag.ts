import Sortable from "sortablejs";

/** Lets the items of a list be dragged by their handle; the function returned stops it. */
export function makeSortable(
  list: HTMLElement,
  onMove: (from: number, to: number) => void,
): () => void {
  const sortable = Sortable.create(list, {
    handle: ".item-grip",
    draggable: ">.item",
    animation: 120,
    // Pointer events on every device, touch screens included.
    forceFallback: true,
    ghostClass: "item-ghost",
    onEnd: ({ item, oldIndex, newIndex }) => {
      if (oldIndex === undefined || newIndex === undefined || oldIndex === newIndex) return;
      // The list is drawn from data: the dragged element returns to where it was.
      item.remove();
      list.insertBefore(item, list.children[oldIndex] ?? null);
      onMove(oldIndex, newIndex);
    },
  });
  return () => sortable.destroy();
}
