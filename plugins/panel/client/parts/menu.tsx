import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

interface MenuProps {
  /** Null: the summary has a text. */
  label: string | null;
  summary: ComponentChildren;
  children: ComponentChildren;
  /** True for a menu inside a frame that scrolls, which would cut it off. */
  isInFrame?: boolean;
  /** True: what the menu lists exists only while it is open. */
  isLazy?: boolean;
  /** -1 for a menu that the Tab key passes over. */
  tabIndex?: number | undefined;
}

/** A button that opens a list of links and buttons; choosing one, Escape and leaving close it. */
export function Menu(props: MenuProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="more"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        if (props.isInFrame === true) placeOverFrame(currentTarget);
        else keepOnScreen(currentTarget);
      }}
      onKeyDown={closeOnEscape}
      onFocusOut={(event) => {
        const { currentTarget, relatedTarget } = event;
        if (!(relatedTarget instanceof Node) || currentTarget.contains(relatedTarget)) return;
        currentTarget.open = false;
      }}
    >
      <summary
        aria-label={props.label ?? undefined}
        title={props.label ?? undefined}
        tabIndex={props.tabIndex}
      >
        {props.summary}
      </summary>
      <div class="more-menu" onClick={closeOnChoice}>
        {(isOpen || props.isLazy !== true) && props.children}
      </div>
    </details>
  );
}

function closeOnChoice({ target }: MouseEvent): void {
  if (target instanceof Element && target.closest("button, a") !== null) close(target);
}

function closeOnEscape({ key, currentTarget }: KeyboardEvent): void {
  if (key === "Escape" && currentTarget instanceof Element) close(currentTarget);
}

/** The focus stays at the menu: a dialog that was chosen gives it back. */
function close(inside: Element): void {
  const menu = inside.closest("details");
  menu?.removeAttribute("open");
  menu?.querySelector("summary")?.focus();
}

/** An open list begins where its button begins when it would not fit on the screen from the other end. */
function keepOnScreen(menu: HTMLDetailsElement): void {
  const list = menu.querySelector<HTMLElement>(".more-menu");
  if (list === null || !menu.open) return;
  list.classList.remove("is-at-start");
  const { left, right } = list.getBoundingClientRect();
  const isOutside = left < 0 || right > document.documentElement.clientWidth;
  list.classList.toggle("is-at-start", isOutside);
}

/** Puts an open list below its button, at the same end; it closes when the window or a frame scrolls. */
function placeOverFrame(menu: HTMLDetailsElement): void {
  const list = menu.querySelector<HTMLElement>(".more-menu");
  if (list === null || !menu.open) return;
  const { bottom, top, right, left } = menu.getBoundingClientRect();
  const hasRoom = bottom + list.offsetHeight < innerHeight;
  const isFromRight = getComputedStyle(menu).direction === "ltr";
  list.style.position = "fixed";
  list.style.inset = [
    hasRoom ? `${bottom + 4}px` : "auto",
    isFromRight ? `${document.documentElement.clientWidth - right}px` : "auto",
    hasRoom ? "auto" : `${innerHeight - top + 4}px`,
    isFromRight ? "auto" : `${left}px`,
  ].join(" ");
  const onScroll = (): void => {
    menu.open = false;
  };
  addEventListener("scroll", onScroll, { capture: true, once: true });
}
