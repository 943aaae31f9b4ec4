import { highlightCode } from "../../plugins/markdown/render/highlight-code.js";
import { draftMarkdown } from "../../plugins/markdown/render/pipeline.js";
import type { Facts, RenderOptions } from "../../plugins/markdown/render/render-options.js";

/** The default configuration, without typography. */
export const plainOptions: RenderOptions = {
  extra: true,
  autoLinks: true,
  autoUrlLinks: true,
  orphans: false,
  trusted: false,
};

/** Renders Markdown to HTML through the pipeline, in this thread. */
export function renderMarkdown(
  source: string,
  options: Partial<RenderOptions> = {},
  facts: Facts = new Map(),
): string {
  return draftMarkdown(source, { ...plainOptions, ...options }).finish(facts, highlightCode).html;
}
