import type { ComponentChildren, VNode } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { X } from "lucide";
import { t } from "../app/texts.js";
import { Icon } from "./icon.js";

/** A modal window. */
export interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  /** Wide dialogs hold comparisons and tables. */
  wide?: boolean;
}

/** Opens at once over the page; the browser holds the focus inside, Escape closes. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next frame: what is typed meanwhile belongs to the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? "wide" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon" aria-label={t("close")} onClick={onClose}>
            <Icon of={X} />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
