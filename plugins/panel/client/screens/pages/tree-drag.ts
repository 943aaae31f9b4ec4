import Sortable from "sortablejs";

/** Where an item was dropped. */
export interface Drop {
  /** Source path. */
  readonly path: string;
  /** Route of the new parent. */
  readonly parent: string;
  /** Source path of the item that follows; null: none. */
  readonly before: string | null;
}

/** Lets the items of all lists inside `root` be dragged; the function returned stops it. */
export function makeDraggable(root: HTMLElement, onDrop: (drop: Drop) => void): () => void {
  const lists = [...root.querySelectorAll<HTMLElement>(".tree-level")];
  const sortables = lists.map((list) =>
    Sortable.create(list, {
      group: "pages",
      handle: ".tree-grip",
      draggable: ">li",
      animation: 120,
      // Pointer events on every device, touch screens included.
      forceFallback: true,
      fallbackOnBody: true,
      swapThreshold: 0.6,
      emptyInsertThreshold: 12,
      ghostClass: "tree-ghost",
      onStart: () => root.classList.add("is-dragging"),
      onEnd: (event) => {
        root.classList.remove("is-dragging");
        const drop = dropOf(event);
        putBack(event);
        if (drop !== null) onDrop(drop);
      },
    }),
  );
  return () => {
    for (const sortable of sortables) sortable.destroy();
  };
}

function dropOf({ item, to, from, oldIndex, newIndex }: Sortable.SortableEvent): Drop | null {
  const { path } = item.dataset;
  const { parent } = to.dataset;
  if (path === undefined || parent === undefined) return null;
  if (to === from && oldIndex === newIndex) return null;
  const next = item.nextElementSibling;
  return {
    path,
    parent,
    before: next instanceof HTMLElement ? (next.dataset["path"] ?? null) : null,
  };
}

/** The tree is drawn from data: the dragged element returns to where it was. */
function putBack({ item, from, oldIndex = 0 }: Sortable.SortableEvent): void {
  item.remove();
  from.insertBefore(item, from.children[oldIndex] ?? null);
}
