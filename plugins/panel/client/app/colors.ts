/** Light or dark colours, as the person chooses in this browser. */
import { signal } from "@preact/signals";

/** The choices; `system`: as the system is set. */
export const COLOR_SCHEMES = ["system", "light", "dark"] as const;
/** A choice of colours. */
export type ColorScheme = (typeof COLOR_SCHEMES)[number];

const STORED = "sitewright.panel.colors";

/** The colours that are shown. */
export const colorScheme = signal<ColorScheme>(readStored());

/** Shows the chosen colours; the style sheet has both of each. */
export function applyColors(): void {
  document.documentElement.dataset["colors"] = colorScheme.value;
}

/** Stores the choice and shows it at once. */
export function setColors(next: string): void {
  colorScheme.value = toScheme(next);
  localStorage.setItem(STORED, colorScheme.value);
  applyColors();
}

function readStored(): ColorScheme {
  return toScheme(localStorage.getItem(STORED) ?? "");
}

function toScheme(name: string): ColorScheme {
  return COLOR_SCHEMES.find((one) => one === name) ?? "system";
}
