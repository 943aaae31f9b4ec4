import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { lazy } from "../parts/lazy.js";
import { closeOverlay, openHelp, openPalette, overlay } from "./palette-state.js";

const Palette = lazy(() => import("../screens/palette/palette.js"));
const Help = lazy(() => import("../screens/palette/help.js"));

/** The command palette and the list of shortcuts, opened by keys. */
export function Overlays(): VNode | null {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  if (overlay.value === "palette") return <Palette onClose={closeOverlay} />;
  if (overlay.value === "help") return <Help onClose={closeOverlay} />;
  return null;
}

function onKey(event: KeyboardEvent): void {
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && event.key.toLowerCase() === "k" && !event.shiftKey) {
    event.preventDefault();
    if (overlay.value === "palette") closeOverlay();
    else openPalette();
  } else if (event.key === "?" && !isTyping(event.target)) {
    event.preventDefault();
    openHelp();
  }
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
