import { json } from "../request.js";
import type { InstalledTheme as Theme } from "../../../../render/contract.js";

export type { Preset, InstalledTheme as Theme } from "../../../../render/contract.js";

/** All themes. */
export interface Themes {
  readonly items: readonly Theme[];
  /** The theme that draws the pages now. */
  readonly active: string;
  /** Source path of the home page. */
  readonly home: string | null;
}

/** The themes that can be chosen. */
export function listThemes(): Promise<Themes> {
  return json("/themes");
}
