import type { HookData, HookName, Hooks } from "#kernel";
import type { Page } from "../../content/contract.js";
import type { BodyRenderer } from "../body-renderer.js";
import type { Format, Rendered, RenderInput } from "../contract.js";
import { plainText } from "../plain-text.js";
import type { RenderFailure } from "../render-thread.js";
import type { RenderOptions } from "../render-options.js";

/** What the `md` format works with. */
export interface MdFormatParts {
  bodies: Pick<BodyRenderer, "render" | "renderLoose" | "clean">;
  hooks: Pick<Hooks, "has" | "transform">;
  options(page: Page | null): RenderOptions;
  /** Counts up whenever anything in the tree has changed. */
  epoch(): number;
  /** Read tags of what the references of a page lead to. */
  reads(page: Page, references: readonly string[]): readonly string[];
  /** Hears how the rendering of a page went. */
  onOutcome(page: Page, failure: RenderFailure | null): void;
}

/** `md`: CommonMark and GFM, through the hooks of Markdown. */
export class MdFormat implements Format {
  readonly extension = "md";
  readonly #parts: MdFormatParts;
  // Not in site.cache: the HTML goes with its page object, and its identity decides whether bodies are valid.
  readonly #made = new WeakMap<Page, { epoch: number; rendered: Rendered }>();

  constructor(parts: MdFormatParts) {
    this.#parts = parts;
  }

  async render({ page }: RenderInput): Promise<Rendered> {
    const kept = this.kept(page);
    if (kept !== null) return kept;
    const epoch = this.#parts.epoch();
    const { rendered, isKept } = await this.#renderNow(page);
    if (isKept) this.#made.set(page, { epoch, rendered });
    return rendered;
  }

  kept(page: Page): Rendered | null {
    const made = this.#made.get(page);
    return made?.epoch === this.#parts.epoch() ? made.rendered : null;
  }

  /** Kept with the page object unless a plugin had a hand in it: its next answer may be another. */
  async #renderNow(page: Page): Promise<{ rendered: Rendered; isKept: boolean }> {
    const { bodies, hooks, options, onOutcome } = this.#parts;
    const { raw } = await this.#transform("onMarkdownProcess", { raw: page.body, page });
    const outcome = await bodies.render(raw, page, options(page));
    onOutcome(page, outcome.failure);
    if (outcome.failure !== null) return { rendered: outcome.rendered, isKept: false };
    const rendered = await this.#processed(outcome.rendered, page, options(page));
    const reads = this.#parts.reads(page, outcome.references ?? []);
    const isKept = !hooks.has("onMarkdownProcess") && !hooks.has("onMarkdownProcessed");
    return { rendered: reads.length === 0 ? rendered : { ...rendered, reads }, isKept };
  }

  /** Renders Markdown that belongs to no file as if it stood in `page`; never trusted. */
  async renderLoose(page: Page): Promise<Rendered> {
    const options = this.#parts.options(null);
    const { raw } = await this.#transform("onMarkdownProcess", { raw: page.body, page });
    const { rendered, failure } = await this.#parts.bodies.renderLoose(raw, page, options);
    return failure === null ? this.#processed(rendered, page, options) : rendered;
  }

  text(page: Page, limit?: number): string {
    return plainText(page.body, limit === undefined ? {} : { limit });
  }

  async #processed(rendered: Rendered, page: Page, options: RenderOptions): Promise<Rendered> {
    const { html } = rendered;
    const next = await this.#transform("onMarkdownProcessed", { html, page });
    if (next.html === html) return rendered;
    if (next.trusted === true || options.trusted) return { ...rendered, html: next.html };
    const { rendered: clean } = await this.#parts.bodies.clean(next.html, rendered.headings);
    return clean;
  }

  #transform<N extends "onMarkdownProcess" | "onMarkdownProcessed">(
    name: N & HookName,
    data: HookData<N>,
  ): HookData<N> | Promise<HookData<N>> {
    const { hooks } = this.#parts;
    return hooks.has(name) ? hooks.transform(name, data) : data;
  }
}
