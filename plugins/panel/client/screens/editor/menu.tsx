import type { ComponentChildren, VNode } from "preact";

interface MenuProps {
  /** Null: the summary has a text. */
  label: string | null;
  summary: ComponentChildren;
  children: ComponentChildren;
}

/** A button that opens a list of links and buttons; choosing one, Escape and leaving close it. */
export function Menu(props: MenuProps): VNode {
  return (
    <details
      class="more"
      onKeyDown={closeOnEscape}
      onFocusOut={(event) => {
        const { currentTarget, relatedTarget } = event;
        if (!(relatedTarget instanceof Node) || currentTarget.contains(relatedTarget)) return;
        currentTarget.open = false;
      }}
    >
      <summary aria-label={props.label ?? undefined} title={props.label ?? undefined}>
        {props.summary}
      </summary>
      <div class="more-menu" onClick={closeOnChoice}>
        {props.children}
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
