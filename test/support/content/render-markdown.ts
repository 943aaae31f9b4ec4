import type { SyntaxSettings } from "../../../plugins/markdown/contract.js";
import { CodeHighlighter } from "../../../plugins/markdown/render/highlight-code.js";
import { parseMarkdownBody } from "../../../plugins/markdown/render/pipeline.js";
import { loadSyntax, neededSwitches } from "../../../plugins/markdown/syntax/switches.js";
import type { Facts, RenderOptions } from "../../../plugins/markdown/render/render-job.js";

/** The default configuration, without typography. */
export const plainOptions: RenderOptions = {
  extra: true,
  autoLinks: true,
  autoUrlLinks: true,
  orphans: false,
  trusted: false,
};

/** Renders CommonMark and GFM to HTML through the pipeline, in this thread. */
export function renderMarkdown(
  source: string,
  options: Partial<RenderOptions> = {},
  facts: Facts = new Map(),
): string {
  return parseMarkdownBody(source, { ...plainOptions, ...options }).finish(facts).html;
}

/** All additional syntax is on. */
export const allSyntax: SyntaxSettings = {
  alerts: true,
  directives: true,
  highlight: true,
  code_lines: true,
  math: true,
  mermaid: true,
  emoji: true,
  mark: true,
  sub_sup: true,
  toc: true,
  abbreviations: true,
  figures: true,
  wiki_links: true,
  margin_notes: true,
};
/** No additional syntax is on. */
export const noSyntax: SyntaxSettings = { ...allSyntax };
for (const name of Object.keys(noSyntax) as (keyof SyntaxSettings)[]) noSyntax[name] = false;

/** What `renderSyntax` varies. */
export interface SyntaxSetup {
  switches?: Partial<SyntaxSettings>;
  options?: Partial<RenderOptions>;
  facts?: Facts;
}

/** Renders Markdown with additional syntax, as a render thread does. */
export async function renderSyntax(source: string, setup: SyntaxSetup = {}): Promise<string> {
  const syntax = neededSwitches(source, { ...allSyntax, ...setup.switches });
  const options = { ...plainOptions, lang: "en", ...setup.options, syntax };
  const draft = parseMarkdownBody(source, options, await loadSyntax(syntax));
  const highlighter = await CodeHighlighter.create();
  if (draft.languages !== null) await highlighter.load(draft.languages);
  const highlight = draft.languages === null ? undefined : highlighter.highlight;
  return draft.finish(setup.facts ?? new Map(), highlight).html;
}
