/** Where the focus is, and the selection with it. */

/**
 * Remembers the focused element, with the selection in an element that is edited; returns what gives both back. The
 * browser alone gives back the focus only: until a selection is in the text again, what is typed goes nowhere.
 */
export function rememberFocus(): () => void {
  const { activeElement: before } = document;
  const range = selectionIn(before)?.cloneRange() ?? null;
  return () => {
    if (!(before instanceof HTMLElement) || !before.isConnected) return;
    before.focus({ preventScroll: true });
    // The text may be another one by now.
    if (range !== null && before.contains(range.startContainer) && selectionIn(before) === null) {
      const selection = document.getSelection();
      selection?.removeAllRanges();
      selection?.addRange(range);
    }
  };
}

/** The selection in an element that is edited; null: it is elsewhere. */
function selectionIn(element: Element | null): Range | null {
  if (!(element instanceof HTMLElement) || !element.isContentEditable) return null;
  const selection = document.getSelection();
  if (selection === null || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  return element.contains(range.startContainer) ? range : null;
}
