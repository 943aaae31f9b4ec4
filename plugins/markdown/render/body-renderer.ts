import type { Caches, CacheSpace } from "#kernel";
import { SingleFlight } from "#lib/concurrency";
import type { Page } from "../../content/contract.js";
import type { Rendered } from "../contract.js";
import { factsDigest, renderKey, type CachedRender, type RenderCache } from "./render-cache.js";
import { asSource, type LimitedRenderer, type RenderOutcome } from "./render-limit.js";
import {
  usesShortcodes,
  type BodyJob,
  type Facts,
  type FindFacts,
  type RenderOptions,
} from "./render-job.js";
import type { RenderFailure } from "./threads/render-pool.js";

/** Number of bodies that are not rendered again, and bytes of each, about. */
const MAX_FAILED = 50;
const FAILURE_BYTES = 1_024;

/** Resolves the references of a page's body. */
export type PageFacts = (
  page: Page,
  references: readonly string[],
  options: Pick<RenderOptions, "structure">,
) => Promise<Facts>;

/** Dependencies of a body renderer. */
export interface BodyRendererOptions {
  limited: LimitedRenderer;
  cache: RenderCache | null;
  caches: Pick<Caches, "open">;
  facts: PageFacts;
  onCacheError(error: unknown): void;
}

interface Work {
  source: string;
  page: Page;
  options: RenderOptions;
  /** False for text that belongs to no file. */
  isFile: boolean;
}

/**
 * Renders Markdown of a page, once per body: cached HTML is used as long as its references resolve
 * to the same facts.
 */
export class BodyRenderer {
  readonly #options: BodyRendererOptions;
  readonly #running = new SingleFlight<RenderOutcome>();
  /** Bodies that exceeded the time limit are not retried until they change. */
  readonly #failed: CacheSpace<RenderFailure>;

  constructor(options: BodyRendererOptions) {
    this.#options = options;
    this.#failed = options.caches.open<RenderFailure>("failed-bodies", {
      maxBytes: 2 * MAX_FAILED * FAILURE_BYTES,
      maxEntries: MAX_FAILED,
      untagged: true,
      sizeOf: () => FAILURE_BYTES,
    });
  }

  /** Renders the body of a file: cached in memory and in files. */
  async render(source: string, page: Page, options: RenderOptions): Promise<RenderOutcome> {
    const work = { source, page, options, isFile: true };
    const key = workKey(work);
    const failed = this.#failed.peek(key);
    if (failed !== undefined) return asSource(source, failed);
    return this.#running.join(key, () => this.#find(key, work)).result;
  }

  /** Renders text that belongs to no file, such as a field: cached in memory only. */
  async renderText(source: string, page: Page, options: RenderOptions): Promise<RenderOutcome> {
    const work = { source, page, options, isFile: false };
    const key = workKey(work);
    const failed = this.#failed.peek(key);
    if (failed !== undefined) return asSource(source, failed);
    // What shortcodes read is noted for the page object of each caller.
    if (usesShortcodes(options)) return this.#find(key, work);
    return this.#running.join(key, () => this.#find(key, work)).result;
  }

  /** Stops rendering and waits for pending cache writes. */
  async close(): Promise<void> {
    await this.#options.limited.close();
    await this.#options.cache?.settled();
  }

  /** Renders without caching: for previews, whose text changes with every key. */
  renderPreview(source: string, page: Page, options: RenderOptions): Promise<RenderOutcome> {
    const job = { kind: "markdown", source, options } as const;
    return this.#limited(job, page);
  }

  /** Renders Markdown of a visitor; the caller keeps the HTML. */
  renderVisitorText(source: string): Promise<RenderOutcome> {
    return this.#options.limited.render({ kind: "visitor", source }, noFacts);
  }

  /** Sanitises what a plugin has changed in rendered HTML. */
  clean(html: string, before: Rendered): Promise<RenderOutcome> {
    return this.#options.limited.render({ kind: "clean", source: html, before }, noFacts);
  }

  /** Resolves links, images and headings in the HTML of a component; does not sanitise it. */
  complete(html: string, page: Page, options: RenderOptions): Promise<RenderOutcome> {
    const job = { kind: "html", source: html, options: { ...options, trusted: true } } as const;
    return this.#limited(job, page);
  }

  #limited(job: BodyJob, page: Page): Promise<RenderOutcome> {
    const { limited, facts } = this.#options;
    return limited.render(job, (references) => facts(page, references, job.options));
  }

  async #cached(key: string, { page, options }: Work): Promise<CachedRender | null> {
    const { cache, facts } = this.#options;
    const cached = cache?.peek(key) ?? (await cache?.read(key));
    if (cached === undefined) return null;
    if (cached.references.length === 0) return cached;
    const now = await facts(page, cached.references, options);
    return factsDigest(cached.references, now) === cached.facts ? cached : null;
  }

  async #find(key: string, work: Work): Promise<RenderOutcome> {
    const cached = await this.#cached(key, work);
    if (cached === null) return this.#renderAndCache(key, work);
    return { rendered: cached.rendered, references: cached.references, failure: null };
  }

  async #renderAndCache(key: string, work: Work): Promise<RenderOutcome> {
    const { source, page, options } = work;
    let references: readonly string[] = [];
    let resolved: Facts = new Map();
    const outcome = await this.#options.limited.render(
      { kind: "markdown", source, options },
      async (requested) => {
        references = requested;
        resolved = await this.#options.facts(page, requested, options);
        return resolved;
      },
    );
    if (outcome.isPlain === true && outcome.failure === null) return { ...outcome, references };
    if (outcome.failure === null) {
      const facts = factsDigest(references, resolved);
      this.#store(key, { rendered: outcome.rendered, references, facts }, work.isFile);
    } else if (!outcome.failure.isPassing) {
      this.#failed.set(key, outcome.failure);
    }
    return { ...outcome, references };
  }

  #store(key: string, cached: CachedRender, isFile: boolean): void {
    if (!isFile) return this.#options.cache?.keep(key, cached);
    this.#options.cache?.write(key, cached).catch(this.#options.onCacheError);
  }
}

function workKey({ source, page, options }: Work): string {
  const { folder, lang, standsInFor, sourcePath } = page.entry;
  // Shortcodes know their page.
  const location = usesShortcodes(options) ? `${folder}\0${sourcePath}` : folder;
  return renderKey(source, options, `${location}\0${standsInFor ?? lang}`);
}

const noFacts: FindFacts = () => Promise.resolve(new Map());
