import type { SyntaxModules } from "./load-syntax.js";
import type { Parts } from "./parts.js";
import type { Switch } from "./switches.js";

/** A body while it is transformed. */
export interface TransformContext {
  /** As parsed. */
  readonly source: string;
  /** Container lines as written, by the parsed ones. */
  readonly written: ReadonlyMap<string, string>;
  readonly needed: ReadonlySet<Switch>;
  readonly lang: string;
  readonly parts: Parts;
  readonly modules: SyntaxModules;
}
