/** What keys do in the tree. */
export interface TreeActions {
  /** Opens or closes what is below a route. */
  toggle(route: string): void;
  /** Opens a page by its source path. */
  open(path: string): void;
  /** Moves a page among its siblings. */
  step(path: string, step: 1 | -1): void;
  /** Moves a page to the level above (-1), or below the page before it (1). */
  shift(path: string, step: 1 | -1): void;
}
type Handler = (item: HTMLElement, actions: TreeActions) => void;

const handlers: Readonly<Record<string, Handler>> = {
  ArrowDown: (item) => focusBy(item, 1),
  ArrowUp: (item) => focusBy(item, -1),
  ArrowRight: (item, { toggle }) => {
    if (item.ariaExpanded === "false") toggle(item.dataset["route"] ?? "");
    else if (item.ariaExpanded === "true") focusBy(item, 1);
  },
  ArrowLeft: (item, { toggle }) => {
    if (item.ariaExpanded === "true") toggle(item.dataset["route"] ?? "");
    else parentOf(item)?.focus();
  },
  Home: (item) => itemsOf(item)[0]?.focus(),
  End: (item) => itemsOf(item).at(-1)?.focus(),
  Enter: (item, { open }) => open(item.dataset["path"] ?? ""),
  "Alt+ArrowUp": (item, { step }) => step(item.dataset["path"] ?? "", -1),
  "Alt+ArrowLeft": (item, { shift }) => shift(item.dataset["path"] ?? "", -1),
  "Alt+ArrowRight": (item, { shift }) => shift(item.dataset["path"] ?? "", 1),
  "Alt+ArrowDown": (item, { step }) => step(item.dataset["path"] ?? "", 1),
};

/** Handles the keys of the tree pattern while an item itself has the focus. */
export function treeKey(event: KeyboardEvent, actions: TreeActions): void {
  const { target, key, altKey, ctrlKey, metaKey } = event;
  if (!(target instanceof HTMLElement) || target.role !== "treeitem") return;
  const handler = handlers[altKey ? `Alt+${key}` : key];
  if (handler === undefined || ctrlKey || metaKey) return;
  event.preventDefault();
  handler(target, actions);
}

function focusBy(item: HTMLElement, step: 1 | -1): void {
  const items = itemsOf(item);
  items[items.indexOf(item) + step]?.focus();
}

function itemsOf(item: HTMLElement): HTMLElement[] {
  const tree = item.closest("[role=tree]");
  return tree === null ? [] : [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
}

function parentOf(item: HTMLElement): HTMLElement | null {
  const above = item.closest(".tree-level")?.closest("li");
  return above?.querySelector<HTMLElement>("[role=treeitem]") ?? null;
}
