import type { Rendered } from "../contract.js";
import type { ReferenceFact, RenderOptions } from "./render-options.js";

/** A rendering job. */
export type RenderJob =
  | { kind: "markdown" | "html"; source: string; options: RenderOptions }
  | { kind: "clean"; source: string; headings: Rendered["headings"] };

/** From the site to a render thread: a job, then the facts it requested. */
export type ToThread =
  { type: "job"; job: RenderJob } | { type: "facts"; facts: ReadonlyMap<string, ReferenceFact> };

/** From a render thread to the site. `highlighting`: the body is parsed, its code follows. */
export type FromThread =
  | { type: "ready" }
  | { type: "highlighting" }
  | { type: "references"; references: readonly string[] }
  | { type: "done"; rendered: Rendered }
  | { type: "failed"; message: string };
