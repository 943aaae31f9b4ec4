/** Keys that are pressed while the part that they are meant for is still being loaded. */
import { OfflineError } from "../api/request.js";
import { t } from "../app/texts.js";
import { failed } from "../app/toasts.js";
import { rememberFocus } from "./focus.js";

/** What is typed between a key and the part that it opens. */
export interface EarlyKeys {
  /** Gives the focus back to where it was, for the part that opens now. */
  release(): void;
  /** Types what was kept where the focus is now, when that is a field. */
  deliver(): void;
}

/**
 * Takes the focus until a part is loaded, with a field that keeps what is typed; `onCancel` is called on Escape.
 * Other keys do nothing: what they would choose is not shown yet.
 */
export function keepKeys(onCancel: () => void): EarlyKeys {
  const focusBefore = rememberFocus();
  const field = document.createElement("input");
  field.className = "visually-hidden";
  field.autocomplete = "off";
  field.setAttribute("aria-label", t("loading"));
  field.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey } = event;
    if (key === "Escape") onCancel();
    // The keys that open parts: again, or with the meaning that the browser gives them.
    const isOpening = (ctrlKey || metaKey) && /^[fk/]$/i.test(key);
    if (!isOpening && key !== "Escape" && key !== "Tab") return;
    event.preventDefault();
    event.stopPropagation();
  });
  // Everything outside of a modal dialog is inert.
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
  (dialog ?? document.body).append(field);
  field.focus({ preventScroll: true });
  return {
    release: () => {
      const isFocused = document.activeElement === field;
      field.remove();
      if (isFocused) focusBefore();
    },
    deliver: () => {
      const { activeElement: active } = document;
      // Without a field, the browser would type where the selection is.
      const isField =
        active instanceof HTMLElement &&
        (active.isContentEditable || active.matches("input, textarea"));
      // Runs the handlers of the field as typing does, also those of the text editor.
      if (isField && field.value !== "") document.execCommand("insertText", false, field.value);
    },
  };
}

/**
 * Loads a part that takes keys and opens it; what is typed meanwhile is typed in it, and Escape gives it up. Without
 * a connection, `instead` runs, or the failure is reported.
 */
export async function openWithKeys<T>(
  load: () => Promise<T>,
  open: (part: T) => void,
  instead: () => void = () => failed(new OfflineError(t("offline"))),
): Promise<void> {
  let isCancelled = false;
  const keys = keepKeys(() => {
    isCancelled = true;
    keys.release();
  });
  let run = instead;
  try {
    const part = await load();
    run = () => open(part);
  } catch {
    // Without the part.
  }
  if (isCancelled) return;
  keys.release();
  run();
  // A component that it shows is drawn after this task, and may keep keys itself.
  await Promise.resolve();
  keys.deliver();
}
