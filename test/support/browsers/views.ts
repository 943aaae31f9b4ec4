/** The width of a window, in pixels, and the colour scheme of its user. */
export interface View {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
}

/** True with `npm test -- --all-pairings`: widths, schemes and hands are paired each with each. */
export const hasAllPairings = process.env["ALL_PAIRINGS"] === "1";

/** The views in which a screen is checked: the narrow dark one, or with all pairings all of these widths. */
export function viewsOf(widths: readonly number[]): readonly View[] {
  const narrowFirst = widths.toSorted((a, b) => a - b);
  const all = (["dark", "light"] as const).flatMap((colorScheme) =>
    narrowFirst.map((width) => ({ width, colorScheme })),
  );
  return hasAllPairings ? all : all.slice(0, 1);
}

/** The views of the panel's screens, and of others without widths of their own. */
export const VIEWS = viewsOf([390, 1280]);
