import type { Page } from "../content/contract.js";
import type { Rendered } from "./contract.js";
import { factsDigest, renderKey, type KeptRender, type RenderCache } from "./render-cache.js";
import { asSource, type LimitedRenderer, type RenderOutcome } from "./render-limit.js";
import type { Facts, FindFacts, RenderOptions } from "./render-options.js";
import type { RenderFailure } from "./render-thread.js";

const MAX_FAILED = 50;

/** Finds what the references of a page's body lead to. */
export type PageFacts = (page: Page, references: readonly string[]) => Promise<Facts>;

/** What a body renderer works with. */
export interface BodyRendererParts {
  limited: LimitedRenderer;
  cache: RenderCache | null;
  facts: PageFacts;
  onCacheError(error: unknown): void;
}

interface Work {
  source: string;
  page: Page;
  options: RenderOptions;
}

/** Markdown of a page to HTML, once per body: kept HTML is used as long as its references lead where they did. */
export class BodyRenderer {
  readonly #parts: BodyRendererParts;
  readonly #running = new Map<string, Promise<RenderOutcome>>();
  /** Bodies that ran over their limit are not tried again in this process. */
  readonly #failed = new Map<string, RenderFailure>();

  constructor(parts: BodyRendererParts) {
    this.#parts = parts;
  }

  async render(source: string, page: Page, options: RenderOptions): Promise<RenderOutcome> {
    const { folder, lang, standsInFor } = page.entry;
    const key = renderKey(source, options, `${folder}\0${standsInFor ?? lang}`);
    const failed = this.#failed.get(key);
    if (failed !== undefined) return asSource(source, failed);
    return this.#running.get(key) ?? this.#start(key, { source, page, options });
  }

  /** Stops rendering and waits for the files that are being written. */
  async close(): Promise<void> {
    await this.#parts.limited.close();
    await this.#parts.cache?.settled();
  }

  /** Renders without keeping anything: text that belongs to no file. */
  renderLoose(source: string, page: Page, options: RenderOptions): Promise<RenderOutcome> {
    const job = { kind: "markdown", source, options } as const;
    return this.#parts.limited.render(job, (references) => this.#parts.facts(page, references));
  }

  /** Sanitises what a plugin has made of rendered HTML. */
  clean(html: string, headings: Rendered["headings"]): Promise<RenderOutcome> {
    return this.#parts.limited.render({ kind: "clean", source: html, headings }, noFacts);
  }

  /** Resolves links, images and headings of HTML that a component has made; it is not sanitised. */
  complete(html: string, page: Page, options: RenderOptions): Promise<RenderOutcome> {
    const job = { kind: "html", source: html, options: { ...options, trusted: true } } as const;
    return this.#parts.limited.render(job, (references) => this.#parts.facts(page, references));
  }

  async #kept(key: string, page: Page): Promise<KeptRender | null> {
    const { cache, facts } = this.#parts;
    const kept = cache?.peek(key) ?? (await cache?.read(key));
    if (kept === undefined) return null;
    if (kept.references.length === 0) return kept;
    const now = await facts(page, kept.references);
    return factsDigest(kept.references, now) === kept.facts ? kept : null;
  }

  #start(key: string, work: Work): Promise<RenderOutcome> {
    const running = this.#find(key, work).finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  async #find(key: string, work: Work): Promise<RenderOutcome> {
    const kept = await this.#kept(key, work.page);
    if (kept === null) return this.#renderAndKeep(key, work);
    return { rendered: kept.rendered, references: kept.references, failure: null };
  }

  async #renderAndKeep(key: string, { source, page, options }: Work): Promise<RenderOutcome> {
    let references: readonly string[] = [];
    let found: Facts = new Map();
    const outcome = await this.#parts.limited.render(
      { kind: "markdown", source, options },
      async (asked) => {
        references = asked;
        found = await this.#parts.facts(page, asked);
        return found;
      },
    );
    if (outcome.failure === null) {
      this.#keep(key, {
        rendered: outcome.rendered,
        references,
        facts: factsDigest(references, found),
      });
    } else {
      this.#remember(key, outcome.failure);
    }
    return { ...outcome, references };
  }

  #keep(key: string, kept: KeptRender): void {
    this.#parts.cache?.write(key, kept).catch(this.#parts.onCacheError);
  }

  #remember(key: string, failure: RenderFailure): void {
    const oldest = this.#failed.size >= MAX_FAILED ? this.#failed.keys().next().value : undefined;
    if (oldest !== undefined) this.#failed.delete(oldest);
    this.#failed.set(key, failure);
  }
}

const noFacts: FindFacts = () => Promise.resolve(new Map());
