import type { Rendered } from "../../contract.js";
import type { ReferenceFact, RenderOptions } from "../render-options.js";

/** A job with references: it is parsed, requests their facts, and is finished with them. */
export interface DraftJob {
  kind: "markdown" | "html";
  source: string;
  options: RenderOptions;
}
/** A job that needs no facts. `visitor`: Markdown of a visitor; `clean`: HTML that a plugin has changed. */
export type WholeJob =
  { kind: "visitor"; source: string } | { kind: "clean"; source: string; before: Rendered };
/** A rendering job. */
export type RenderJob = DraftJob | WholeJob;

/** True for a job that needs no facts. */
export function isWhole(job: RenderJob): job is WholeJob {
  return job.kind === "visitor" || job.kind === "clean";
}

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
