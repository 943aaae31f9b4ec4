/** A menu of actions beside a part of the text: arrows move in it, Escape and a press elsewhere close it. */
import { createElement, type IconNode } from "lucide";

/** An action. */
export interface MenuItem {
  readonly label: string;
  readonly icon: IconNode;
  /** True: it cannot be done here. */
  readonly isDisabled?: boolean;
  run(): void;
}

/** Opens a menu below an element; groups are separated by lines. `onClose` is called when the focus is nowhere afterwards. */
export function openMenu(
  anchor: Element,
  {
    label,
    groups,
    onClose,
  }: { label: string; groups: readonly (readonly MenuItem[])[]; onClose(): void },
): void {
  const menu = document.createElement("div");
  menu.className = "block-menu";
  menu.setAttribute("role", "menu");
  menu.setAttribute("aria-label", label);
  menu.popover = "auto";
  for (const [at, group] of groups.entries()) {
    if (at > 0) menu.append(document.createElement("hr"));
    menu.append(...group.map((item) => itemElement(item, () => menu.hidePopover())));
  }
  menu.addEventListener("keydown", moveFocus);
  menu.addEventListener("toggle", (event) => {
    if (!(event instanceof ToggleEvent) || event.newState !== "closed") return;
    menu.remove();
    if (document.activeElement === document.body) onClose();
  });
  document.body.append(menu);
  menu.showPopover();
  const { left, bottom, top } = anchor.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = bottom + height + 8 < innerHeight ? bottom + 4 : Math.max(8, top - height - 4);
  menu.style.insetInlineStart = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  menu.style.insetBlockStart = `${below}px`;
  menu.querySelector("button")?.focus();
}

function itemElement(
  { label, icon, isDisabled = false, run }: MenuItem,
  close: () => void,
): Element {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "entry";
  button.setAttribute("role", "menuitem");
  button.disabled = isDisabled;
  button.append(createElement(icon, { width: 16, height: 16, "aria-hidden": "true" }), label);
  button.addEventListener("click", () => {
    close();
    run();
  });
  return button;
}

function moveFocus(event: KeyboardEvent): void {
  const { currentTarget: menu, key } = event;
  if (!(menu instanceof HTMLElement)) return;
  const items = [...menu.querySelectorAll<HTMLElement>("button:enabled")];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
  if (key === "Tab") menu.hidePopover();
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
