/** Fields and buttons of blocks that are shown in place of their Markdown. */
import { redo, undo } from "@codemirror/commands";
import type { EditorView } from "@codemirror/view";
import { createElement, type IconNode } from "lucide";

/** A button with an icon; its label is its name. */
export function iconButton(
  label: string,
  icon: IconNode,
  run: (button: HTMLButtonElement) => void,
): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "icon";
  button.title = label;
  button.setAttribute("aria-label", label);
  button.append(iconElement(icon, 16));
  button.addEventListener("click", () => run(button));
  return button;
}

/** An icon without a name. */
export function iconElement(icon: IconNode, size: number): SVGElement {
  return createElement(icon, { width: size, height: size, "aria-hidden": "true" });
}

/** A field of one line. */
export function textField(
  label: string,
  placeholder: string,
  write: (value: string) => void,
): HTMLInputElement {
  const input = document.createElement("input");
  input.type = "text";
  input.autocomplete = "off";
  input.placeholder = placeholder;
  input.setAttribute("aria-label", label);
  input.addEventListener("input", () => write(input.value));
  return input;
}

/** Shows a value that the text has; what is typed stays where it reads the same. */
export function showValue(input: HTMLInputElement, value: string): void {
  if (input.value.trim() !== value.trim()) input.value = value;
}

/**
 * Keys in the fields of a block: the history is that of the text, and Enter and Escape go to the line below it.
 * The others stay in the block.
 */
export function blockKeys(view: EditorView, dom: HTMLElement, end: () => number): void {
  dom.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    const isUndo = isCommand && key.toLowerCase() === "z";
    if (isUndo || (isCommand && key.toLowerCase() === "y")) {
      if (isUndo && !event.shiftKey) undo(view);
      else redo(view);
    } else if (target instanceof HTMLInputElement && (key === "Enter" || key === "Escape")) {
      goTo(view, Math.min(end() + 1, view.state.doc.length));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Moves the cursor of the text. */
export function goTo(view: EditorView, anchor: number): void {
  view.dispatch({ selection: { anchor }, scrollIntoView: true });
  view.focus();
}
