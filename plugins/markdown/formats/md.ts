import type { Hooks } from "#kernel";
import type { Page } from "../../content/contract.js";
import type { BodyRenderer } from "../render/body-renderer.js";
import type { Format, IncludeSyntax, Rendered, RenderInput, RenderNeeds } from "../contract.js";
import { includeMarks, markIncludes } from "../includes.js";
import { plainText } from "../parse/plain-text.js";
import type { RenderFailure } from "../render/threads/render-pool.js";
import { structureOptions, usesShortcodes, type RenderOptions } from "../render/render-job.js";
import type { Switch } from "../syntax/switches.js";
import { isMarkKey } from "../syntax/shortcode-syntax.js";
import type { Shortcodes } from "../shortcodes.js";

/** Dependencies of the `md` format. */
export interface MdFormatOptions {
  bodies: Pick<BodyRenderer, "render" | "renderText" | "renderPreview" | "clean">;
  hooks: Pick<Hooks, "has" | "transform">;
  options(page: Page | null): RenderOptions;
  /** The additional syntax that a body may use. */
  syntaxOf(source: string): readonly Switch[];
  /** The systems whose own lines include files. */
  includes: readonly IncludeSyntax[];
  /** Increases whenever anything in the tree changes. */
  epoch(): number;
  shortcodes: Pick<Shortcodes, "findSyntax" | "readsOf" | "names" | "isEmbedded" | "prepare">;
  /** Read tags of the targets of a page's references. */
  reads(page: Page, references: readonly string[]): readonly string[];
  /** Called with the outcome of each rendering. */
  onOutcome(page: Page, failure: RenderFailure | null): void;
}

/** `md`: CommonMark and GFM, with the Markdown hooks. */
export class MdFormat implements Format {
  readonly extension = "md";
  readonly #parts: MdFormatOptions;
  // Not in site.cache: the HTML goes with its page object, and its identity decides whether bodies are valid.
  readonly #cache = new WeakMap<Page, { epoch: number; rendered: Rendered }>();

  constructor(parts: MdFormatOptions) {
    this.#parts = parts;
  }

  async render({ page, needs = "page" }: RenderInput): Promise<Rendered> {
    const cached = this.#cache.get(page);
    if (cached?.epoch === this.#parts.epoch()) return cached.rendered;
    const epoch = this.#parts.epoch();
    const { rendered, isCacheable } = await this.#renderNow(page, needs);
    if (isCacheable && needs === "page") this.#cache.set(page, { epoch, rendered });
    return rendered;
  }

  /** Cacheable unless a hook is registered: its result may differ next time. */
  async #renderNow(
    page: Page,
    needs: RenderNeeds,
  ): Promise<{ rendered: Rendered; isCacheable: boolean }> {
    const { bodies, hooks, options, onOutcome } = this.#parts;
    const processed = await hooks.transform("onMarkdownProcess", { raw: page.body, page });
    const raw = await this.#withIncludes(processed.raw, page);
    const all = { ...options(page), ...this.#syntaxOf(raw, page), ...lineOptions(page) };
    const renderOptions = needs === "structure" ? structureOptions(all) : all;
    const isPreview = page.isPreview === true;
    const outcome = await bodies[isPreview ? "renderPreview" : "render"](raw, page, renderOptions);
    if (!isPreview) onOutcome(page, outcome.failure);
    if (outcome.failure !== null) return { rendered: outcome.rendered, isCacheable: false };
    const rendered = await this.#processed(outcome.rendered, page, renderOptions);
    const isHooked = hooks.has("onMarkdownProcess") || hooks.has("onMarkdownProcessed");
    const isCacheable = !isHooked && !usesShortcodes(renderOptions);
    return { rendered: this.#withReads(rendered, page, outcome.references ?? []), isCacheable };
  }

  #withReads(rendered: Rendered, page: Page, references: readonly string[]): Rendered {
    const { tags, until } = this.#parts.shortcodes.readsOf(page);
    const links = references.filter((reference) => !isMarkKey(reference));
    const reads = [...this.#parts.reads(page, links), ...tags];
    if (reads.length === 0 && until === null) return rendered;
    return { ...rendered, reads, ...(until !== null && { until }) };
  }

  /** Renders Markdown that belongs to no file as if it were in `page`; never trusted. */
  async renderLoose(page: Page): Promise<Rendered> {
    const { bodies, hooks } = this.#parts;
    const processed = await hooks.transform("onMarkdownProcess", { raw: page.body, page });
    const raw = await this.#withIncludes(processed.raw, page);
    const options = { ...this.#parts.options(null), ...this.#syntaxOf(raw, page) };
    const { rendered, failure } = await bodies.renderText(raw, page, options);
    if (failure !== null) return rendered;
    return this.#withReads(await this.#processed(rendered, page, options), page, []);
  }

  /** The body with marks for its includes, which are rendered. */
  async #withIncludes(body: string, page: Page): Promise<string> {
    const marked = markIncludes(body, { systems: this.#parts.includes });
    const marks = includeMarks(marked);
    if (marks.length > 0) await this.#parts.shortcodes.prepare(page, marks);
    return marked;
  }

  #syntaxOf(raw: string, { entry }: Page): Partial<RenderOptions> {
    const { shortcodes, syntaxOf } = this.#parts;
    const syntax = syntaxOf(raw);
    const lang = entry.standsInFor ?? entry.lang;
    return { ...shortcodes.findSyntax(raw), ...(syntax.length > 0 && { syntax, lang }) };
  }

  text(page: Page, limit?: number): string {
    const { shortcodes } = this.#parts;
    return plainText(markIncludes(page.body, { systems: this.#parts.includes }), {
      ...(limit !== undefined && { limit }),
      shortcodes: shortcodes.names,
      isEmbedded: (address) => shortcodes.isEmbedded(address),
    });
  }

  async #processed(rendered: Rendered, page: Page, options: RenderOptions): Promise<Rendered> {
    const { html } = rendered;
    const next = await this.#parts.hooks.transform("onMarkdownProcessed", { html, page });
    if (next.html === html) return rendered;
    if (next.trusted === true || options.trusted) return { ...rendered, html: next.html };
    const { rendered: clean } = await this.#parts.bodies.clean(next.html, rendered);
    return clean;
  }
}

function lineOptions({ raw, body, isPreview, moment }: Page): Pick<RenderOptions, "linesAbove"> {
  if (isPreview !== true || moment !== undefined) return {};
  return { linesAbove: raw.slice(0, raw.length - body.length).split("\n").length - 1 };
}
