/** Menus beside a part of the text: arrows move in them, Escape and a press elsewhere close them. */
import { createElement, type IconNode } from "lucide";

/** An action. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: IconNode;
  /** Keys that do the same. */
  readonly keys?: string;
  /** True: it cannot be done here. */
  readonly isDisabled?: boolean;
  /** For an option that is on or off. */
  readonly isChecked?: boolean;
  run(): void;
}

interface MenuOptions {
  readonly label: string;
  /** Called when no element has the focus after the menu has closed. */
  onClose(): void;
}

/** Opens a menu below an element; groups are separated by lines, and named where they have a name. */
export function openMenu(
  anchor: Element,
  {
    label,
    groups,
    onClose,
  }: MenuOptions & { readonly groups: readonly (readonly MenuItem[] | MenuGroup)[] },
): void {
  const menu = createPopover("block-menu", onClose);
  menu.setAttribute("role", "menu");
  menu.setAttribute("aria-label", label);
  for (const [at, group] of groups.entries()) {
    const { name, items } = "items" in group ? group : { name: "", items: group };
    if (at > 0) menu.append(document.createElement("hr"));
    const elements = items.map((item) => itemElement(item, () => menu.hidePopover()));
    if (name === "") menu.append(...elements);
    else menu.append(namedGroup(name, elements));
  }
  menu.addEventListener("keydown", (event) => moveFocus(menu, event));
  open(menu, anchor);
  menu.querySelector<HTMLElement>("button:enabled")?.focus();
}

/** Actions below a heading. */
export interface MenuGroup {
  readonly name: string;
  readonly items: readonly MenuItem[];
}

function namedGroup(name: string, items: readonly HTMLElement[]): HTMLElement {
  const group = document.createElement("div");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", name);
  const heading = document.createElement("p");
  heading.className = "block-menu-name";
  heading.setAttribute("aria-hidden", "true");
  heading.textContent = name;
  group.append(heading, ...items);
  return group;
}

let lists = 0;

/** Opens a list that is searched by typing; `find` returns what the words find, best first. */
export function openSearchMenu(
  anchor: Element,
  {
    label,
    find,
    onClose,
  }: MenuOptions & { find(words: string): readonly Pick<MenuItem, "label" | "run">[] },
): void {
  const menu = createPopover("block-menu is-searched", onClose);
  const input = document.createElement("input");
  const list = document.createElement("ul");
  list.id = `block-menu-${(lists += 1)}`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", label);
  // Escape would empty a field of type "search" first.
  input.type = "text";
  input.placeholder = label;
  input.autocomplete = "off";
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-label": label,
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    "aria-controls": list.id,
  })) {
    input.setAttribute(name, value);
  }
  let items = find("");
  let chosen = 0;
  const run = (at: number): void => {
    menu.hidePopover();
    items[at]?.run();
  };
  const draw = (): void => {
    list.replaceChildren(
      ...items.map((item, at) => {
        const option = document.createElement("li");
        option.id = `${list.id}-${at}`;
        option.className = "entry";
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", String(at === chosen));
        option.textContent = item.label;
        option.addEventListener("mousedown", (event) => event.preventDefault());
        option.addEventListener("click", () => run(at));
        return option;
      }),
    );
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
    if (items.length === 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `${list.id}-${chosen}`);
  };
  input.addEventListener("input", () => {
    items = find(input.value);
    chosen = 0;
    draw();
  });
  input.addEventListener("keydown", (event) => {
    const { key } = event;
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (key === "Tab") menu.hidePopover();
    if ((step === 0 && key !== "Enter") || event.isComposing) return;
    event.preventDefault();
    if (key === "Enter") return run(chosen);
    chosen = items.length === 0 ? 0 : (chosen + step + items.length) % items.length;
    draw();
  });
  menu.append(input, list);
  draw();
  open(menu, anchor);
  input.focus();
}

function createPopover(name: string, onClose: () => void): HTMLElement {
  const menu = document.createElement("div");
  menu.className = name;
  menu.popover = "auto";
  menu.addEventListener("toggle", (event) => {
    if (!(event instanceof ToggleEvent) || event.newState !== "closed") return;
    menu.remove();
    if (document.activeElement === document.body) onClose();
  });
  return menu;
}

/** Shows a menu below its anchor, or above where there is more room. */
function open(menu: HTMLElement, anchor: Element): void {
  document.body.append(menu);
  menu.showPopover();
  const { left, bottom, top } = anchor.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const isBelow = bottom + height + 8 < innerHeight;
  const start = isBelow ? bottom + 4 : Math.max(8, top - height - 4);
  menu.style.insetInlineStart = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  menu.style.insetBlockStart = `${Math.min(start, Math.max(8, innerHeight - height - 8))}px`;
}

function itemElement(
  { label, icon, keys, isDisabled = false, isChecked, run }: MenuItem,
  close: () => void,
): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "entry";
  button.setAttribute("role", isChecked === undefined ? "menuitem" : "menuitemcheckbox");
  if (isChecked !== undefined) button.setAttribute("aria-checked", String(isChecked));
  button.disabled = isDisabled;
  if (icon !== undefined) {
    button.append(createElement(icon, { width: 16, height: 16, "aria-hidden": "true" }));
  }
  button.append(label);
  if (keys !== undefined) {
    const hint = document.createElement("span");
    hint.className = "block-menu-keys";
    hint.textContent = keys;
    hint.setAttribute("aria-hidden", "true");
    button.append(hint);
  }
  button.addEventListener("click", () => {
    close();
    run();
  });
  return button;
}

function moveFocus(menu: HTMLElement, event: KeyboardEvent): void {
  const { key } = event;
  const items = [...menu.querySelectorAll<HTMLElement>("button:enabled")];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
  if (key === "Tab") menu.hidePopover();
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}
