import type { Switch } from "../syntax/switches.js";
import type { Rendered } from "../contract.js";

/** Settings that affect the HTML of a body; part of every cache key. */
export interface RenderOptions {
  /** Footnotes, definition lists, heading ids. */
  extra: boolean;
  /** `<https://…>` and `<me@example.org>` become links. */
  autoLinks: boolean;
  /** Bare addresses become links. */
  autoUrlLinks: boolean;
  /** A non-breaking space before the last word of paragraphs. */
  orphans: boolean;
  /** Raw HTML is not sanitised. */
  trusted: boolean;
  /** Names of shortcodes; empty in a body without any. */
  shortcodes?: readonly string[];
  /** Paragraphs that are just an address may be shortcodes. */
  addresses?: boolean;
  /** Additional syntax that is on and that the body may use. */
  syntax?: readonly Switch[];
  /** Language of words that the HTML shows on its own; set for bodies with additional syntax. */
  lang?: string;
  /** The caller needs only ids: see `RenderNeeds`. */
  structure?: true;
  /** Marks top-level blocks with their line in the file: the lines above the body. Only in previews. */
  linesAbove?: number;
}

/** A resolved reference: its URL and, for media, attributes of images. */
export interface ReferenceFact {
  url: string;
  alt?: string;
  title?: string;
  attributes?: Readonly<Record<string, string>>;
  /** The HTML of a shortcode, and whether it is not sanitised. */
  html?: string;
  trusted?: boolean;
}

/** Maps references as written to their facts; unresolved references are absent. */
export type Facts = ReadonlyMap<string, ReferenceFact>;

/** Resolves the references of a body. */
export type FindFacts = (references: readonly string[]) => Promise<Facts>;

/** Increase when the generated HTML changes, to invalidate cached HTML of older versions. */
export const PIPELINE_VERSION = 4;

/** The options without syntax that only colours code. */
export function withoutColours(options: RenderOptions): RenderOptions {
  const { syntax = [] } = options;
  const plain = syntax.filter((name) => name !== "highlight" && name !== "code_lines");
  return { ...options, syntax: plain };
}

/** The options of a caller that needs the `structure` only. */
export function structureOptions(options: RenderOptions): RenderOptions {
  return { ...withoutColours(options), orphans: false, structure: true };
}

/** True when the HTML of a body may depend on shortcodes. */
export function usesShortcodes({ shortcodes = [], addresses = false }: RenderOptions): boolean {
  return shortcodes.length > 0 || addresses;
}

/** A job with references: it is parsed, requests their facts, and is finished with them. */
export interface BodyJob {
  kind: "markdown" | "html";
  source: string;
  options: RenderOptions;
}
/** A job that needs no facts. `visitor`: Markdown of a visitor; `clean`: HTML that a plugin has changed. */
export type WholeJob =
  { kind: "visitor"; source: string } | { kind: "clean"; source: string; before: Rendered };
/** A rendering job. */
export type RenderJob = BodyJob | WholeJob;

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
