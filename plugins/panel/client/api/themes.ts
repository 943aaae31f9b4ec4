import { json } from "./request.js";

/** What the site is for. */
export type Preset = "docs" | "blog" | "site";
/** A theme that can be chosen. */
export interface Theme {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly parent: string | null;
  /** `#rrggbb` */
  readonly colors: readonly string[];
  /** Its settings: fields by name, as theme.yaml describes them. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Why it cannot be used; null when it can. */
  readonly problem: string | null;
}
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
