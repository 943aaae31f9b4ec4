import { availableParallelism } from "node:os";
import type { Rendered } from "../contract.js";
import { loadSyntax, needsModules } from "../syntax/switches.js";
import { isWhole, withoutColours, type RenderJob, type FindFacts } from "./render-job.js";
import { RenderPool, RenderFailure } from "./threads/render-pool.js";

/** Limits a body of any size: 1 MB of ordinary Markdown takes 0.3 to 1.2 s while a visitor waits. */
const LIMIT_MS = 1_500;
const MAX_BYTES = 2 * 1024 * 1024;

/** HTML; `failure` is set when it is only the escaped source. */
export interface RenderOutcome {
  rendered: Rendered;
  /** The references of the body; absent unless requested. */
  references?: readonly string[];
  failure: RenderFailure | null;
  /** True when its code is shown without colours, because they took too long. */
  isPlain?: boolean;
}

/** Number of threads, and time limit per body in ms. */
export interface LimitOptions {
  threads?: number;
  limitMs?: number;
}

/**
 * Renders under a time limit. Parsing Markdown can take quadratic time, so all but small and plain
 * bodies run on threads that can be stopped. Bodies that fail are shown as escaped source.
 */
export class LimitedRenderer {
  readonly #pool: RenderPool;
  readonly #limitMs: number;

  constructor({ threads = defaultThreads(), limitMs = LIMIT_MS }: LimitOptions = {}) {
    this.#pool = new RenderPool(threads);
    this.#limitMs = limitMs;
  }

  async render(job: RenderJob, findFacts: FindFacts): Promise<RenderOutcome> {
    try {
      return { rendered: await this.#attempt(job, findFacts), failure: null };
    } catch (error) {
      if (!(error instanceof RenderFailure)) throw error;
      if (hasCode(job)) return { ...(await this.render(plain(job), findFacts)), isPlain: true };
      return asSource(job.source, error);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #attempt(job: RenderJob, findFacts: FindFacts): Promise<Rendered> {
    if (job.source.length > MAX_BYTES) {
      throw new RenderFailure("ERR_MARKDOWN_RENDER", `the body is larger than ${MAX_BYTES} bytes`);
    }
    if (isHarmless(job.source) && !hasCode(job)) return renderHere(job, findFacts);
    return this.#pool.run(job, findFacts, this.#limitMs);
  }
}

/** The escaped source of a body that could not be rendered. */
export function asSource(source: string, failure: RenderFailure): RenderOutcome {
  const escaped = source.replace(/[&<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  const html = `<pre class="markdown-source">${escaped}</pre>`;
  return { rendered: { html, headings: [] }, failure };
}

// Leaves one core for requests.
function defaultThreads(): number {
  return Math.min(2, Math.max(1, availableParallelism() - 1));
}

async function renderHere(job: RenderJob, findFacts: FindFacts): Promise<Rendered> {
  const pipeline = await import("./pipeline.js");
  if (isWhole(job)) return guarded(() => pipeline.renderWhole(job));
  const { kind, source, options } = job;
  const needed = options.syntax ?? [];
  const modules = needsModules(needed) ? await loadSyntax(needed) : {};
  const body = guarded(() =>
    kind === "html"
      ? pipeline.parseHtmlBody(source, options)
      : pipeline.parseMarkdownBody(source, options, modules),
  );
  const facts = body.references.length === 0 ? new Map() : await findFacts(body.references);
  return guarded(() => body.finish(facts));
}

function plain(job: RenderJob): RenderJob {
  if (isWhole(job)) return job;
  return { ...job, options: withoutColours(job.options) };
}

// Grammars are large, and their patterns take as long as they like: only threads run them.
function hasCode(job: RenderJob): boolean {
  if (isWhole(job)) return false;
  const { syntax = [] } = job.options;
  return syntax.includes("highlight") || syntax.includes("code_lines");
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new RenderFailure("ERR_MARKDOWN_RENDER", String(error));
  }
}

const MAX_HARMLESS_BYTES = 4096;
const MAX_LINES = 150;
const MAX_MARKS = 200;

// Nine nested list, quote or definition markers: the cost of nesting is quadratic.
const DEEP_NESTING = /^(?:[ \t]*(?:[>*+:-]|\d{1,9}[.)])){9}/m;

const MARKS = new Set("*_~`[]<>!|&{}@$=^");

/**
 * True for a body that can be rendered on the main thread: small, and with so few marks that even a
 * malicious arrangement takes milliseconds. All others go to a thread with a time limit.
 */
export function isHarmless(source: string): boolean {
  if (source.length > MAX_HARMLESS_BYTES) return false;
  let lines = 0;
  let marks = 0;
  for (const character of source) {
    if (character === "\n" || character === "\r") lines += 1;
    else if (MARKS.has(character)) marks += 1;
  }
  return lines <= MAX_LINES && marks <= MAX_MARKS && !DEEP_NESTING.test(source);
}
