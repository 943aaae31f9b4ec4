import { signal } from "@preact/signals";

/** The dialog that lies over the screen. */
export const overlay = signal<"none" | "palette" | "help">("none");

/** Opens the command palette. */
export function openPalette(): void {
  overlay.value = "palette";
}

/** Opens the list of keyboard shortcuts. */
export function openHelp(): void {
  overlay.value = "help";
}

/** Closes what lies over the screen. */
export function closeOverlay(): void {
  overlay.value = "none";
}
