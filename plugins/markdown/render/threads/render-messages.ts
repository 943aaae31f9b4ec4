import type { Rendered } from "../../contract.js";
import type { ReferenceFact, RenderOptions } from "../render-options.js";

/** A rendering job. */
export type RenderJob =
  | { kind: "markdown" | "html"; source: string; options: RenderOptions }
  | { kind: "clean"; source: string; before: Rendered };

/** From the site to a render thread: a job, then the facts it requested. */
export type ToThread =
  { type: "job"; job: RenderJob } | { type: "facts"; facts: ReadonlyMap<string, ReferenceFact> };

/**
 * From a render thread to the site. `thread`: its number, see thread-time.ts. `highlighting`: the body is
 * parsed, its code follows.
 */
export type FromThread =
  | { type: "ready"; thread: number | null }
  | { type: "highlighting" }
  | { type: "references"; references: readonly string[] }
  | { type: "done"; rendered: Rendered }
  | { type: "failed"; message: string };
