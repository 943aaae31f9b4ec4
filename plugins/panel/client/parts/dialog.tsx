import type { ComponentChildren, VNode } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { X } from "lucide";
import { t } from "../app/texts.js";
import { rememberFocus } from "./focus.js";
import { Icon } from "./icon.js";

const FIELDS =
  "input:not([type=hidden], [type=file], [readonly], :disabled), select:not(:disabled), textarea:not([readonly], :disabled)";
const CONTROLS = "input:not([type=hidden], :disabled), button:not(:disabled), a[href], summary";

/** A modal window. */
export interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  /** Wide dialogs hold comparisons and tables. */
  wide?: boolean;
}

/**
 * Opens at once over the page; the browser holds the focus inside, Escape closes. The focus begins in the first
 * field, also in one that is loaded later; without a field, at the first control of the content. It returns to
 * where it was.
 */
export function Dialog({ title, onClose, children, wide = false }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const id = useId();
  // Before the next frame: what is typed meanwhile belongs to the dialog.
  useLayoutEffect(() => {
    const focusBefore = rememberFocus();
    const dialog = element.current;
    dialog?.showModal();
    const stop = content.current === null ? undefined : focusFirst(content.current);
    return () => {
      stop?.();
      // While it is open, nothing behind it takes the focus.
      dialog?.close();
      focusBefore();
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
        <div ref={content} class="dialog-content">
          {children}
        </div>
      </div>
    </dialog>
  );
}

/** Focuses the first field, and returns what stops the wait for one that is still being loaded. */
function focusFirst(content: HTMLElement): () => void {
  // A field with `autofocus` has the focus already.
  if (content.contains(document.activeElement)) return () => undefined;
  const focusField = (): boolean => {
    const field = content.querySelector<HTMLElement>(FIELDS);
    field?.focus();
    return field !== null;
  };
  if (focusField()) return () => undefined;
  content.querySelector<HTMLElement>(CONTROLS)?.focus();
  const stop = (): void => {
    loaded.disconnect();
    removeEventListener("keydown", stop, { capture: true });
    removeEventListener("pointerdown", stop, { capture: true });
  };
  const loaded = new MutationObserver(() => {
    if (focusField()) stop();
    else if (!content.contains(document.activeElement))
      content.querySelector<HTMLElement>(CONTROLS)?.focus();
  });
  loaded.observe(content, { childList: true, subtree: true });
  // Do not move the focus when the user has already moved it.
  addEventListener("keydown", stop, { capture: true });
  addEventListener("pointerdown", stop, { capture: true });
  return stop;
}
