import { join } from "node:path";
import { type SiteContext, expectKind, expectValues, type Extensions } from "#kernel";
import type { Page } from "../content/contract.js";
import { BodyRenderer } from "./render/body-renderer.js";
import type { MarkdownProblem, MarkdownService } from "./contract.js";
import { FormatRegistry, createMarkdownService } from "./service.js";
import { includeShortcode } from "./includes.js";
import { MdFormat } from "./formats/md.js";
import { MdxFormat, type ComponentFormatOptions } from "./formats/mdx.js";
import { TsxFormat } from "./formats/tsx.js";
import { ProblemList, PageProblems } from "./links/problems.js";
import { ReferenceResolver } from "./links/resolve-reference.js";
import { RenderedFiles, RenderCache } from "./render/render-cache.js";
import { LimitedRenderer } from "./render/render-limit.js";
import type { Facts, RenderOptions } from "./render/render-job.js";
import { declareAssets } from "./assets.js";
import { neededSwitches } from "./syntax/switches.js";
import { isWikiKey, WikiLinks, WikiPages } from "./syntax/wiki-links.js";
import { isMarkKey } from "./syntax/shortcode-syntax.js";
import { Shortcodes } from "./shortcodes.js";

/** Time limit during an export, which serves no requests and may share the machine with builds. */
const PATIENT_MS = 10_000;

/** Creates the service and registers the built-in formats. */
export function setUpMarkdown(site: SiteContext): void {
  const options = readOptions(site);
  const resolvers = createResolvers(site, options);
  const bodies = createBodies(site, resolvers);
  const problems = new ProblemList();
  const report = (page: Page, problem: MarkdownProblem | null): void => {
    if (problem === null) return problems.clear(page.entry.sourcePath);
    // Report once: the page is rendered again for every uncached request.
    if (problems.report(problem, page.entry.hash))
      site.log.error("markdown.failed", { ...problem });
  };
  const { references, shortcodes, wiki } = resolvers;
  const switches = site.settings.site.markdown;
  const md = new MdFormat({
    bodies,
    options,
    shortcodes,
    includes: site.settings.system.content.includes,
    hooks: site.hooks,
    epoch: countChanges(site),
    syntaxOf: (source) => neededSwitches(source, switches),
    reads: (page, written) => readsOf(references, page, written),
    onOutcome: (page, failure) =>
      report(
        page,
        failure && {
          sourcePath: page.entry.sourcePath,
          code: failure.code,
          message: failure.message,
        },
      ),
  });
  const service = createMarkdownService({
    md,
    bodies,
    references,
    problems,
    shortcodes,
    wiki,
    formats: new FormatRegistry(),
    content: site.use("content"),
    defaultLanguage: site.settings.system.languages.default,
    includes: site.settings.system.content.includes,
    usesMath: switches.math,
    usesWikiLinks: switches.wiki_links,
    keepsHeadings: (page) =>
      page.entry.format === "md" &&
      options(page).extra &&
      !site.hooks.has("onMarkdownProcess") &&
      !site.hooks.has("onMarkdownProcessed"),
  });
  service.register(md);
  service.addShortcode(
    "include-file",
    includeShortcode({
      content: site.use("content"),
      root: site.paths.content,
      renderText: service.renderText,
      systems: site.settings.system.content.includes,
    }),
  );
  registerComponentFormats(site, service, { bodies, options, onOutcome: report });
  provideComponents(site);
  declareAssets(site);
  site.lifecycle.afterReady(warmUp);
  site.lifecycle.onListen(() => warnOfDebug(site));
  site.provide("markdown", service);
}

function createResolvers(site: SiteContext, options: ReturnType<typeof readOptions>): Resolvers {
  const content = site.use("content");
  const attributes = site.extensions.open("imageAttributes", {
    check: expectKind("function"),
    result: expectValues(expectKind("string")),
  });
  const references = new ReferenceResolver({
    content,
    isTrusted: (entry) => options({ entry }).trusted,
    languages: site.settings.system.languages.supported,
    imageAttributes: async (item, page) =>
      Object.assign({}, ...(await attributes.eachAsync((find) => find(item, page)))),
    cache: site.cache,
  });
  const shortcodes = new Shortcodes({
    kinds: content.fieldKinds,
    cache: site.cache,
    problems: new PageProblems({
      code: "ERR_MARKDOWN_SHORTCODE",
      content,
      log: (problem) => site.log.warn("markdown.shortcode_failed", { ...problem }),
    }),
  });
  const problems = new PageProblems({
    code: "ERR_MARKDOWN_WIKI_LINK",
    content,
    log: (problem) => site.log.warn("markdown.wiki_link_broken", { ...problem }),
  });
  return { references, shortcodes, wiki: new WikiLinks(new WikiPages(content), problems) };
}

/** Read tags of links. Any page may become the one that a wiki link means. */
function readsOf(references: ReferenceResolver, page: Page, written: readonly string[]): string[] {
  const links = written.filter((reference) => !isWikiKey(reference));
  const isWiki = links.length < written.length;
  return [...references.reads(page, links), ...(isWiki ? ["list"] : [])];
}

function registerComponentFormats(
  site: SiteContext,
  service: MarkdownService,
  parts: Pick<ComponentFormatOptions, "bodies" | "options" | "onOutcome">,
): void {
  const { mode } = site.runtime.env;
  const loaders = site.extensions.open("mdxComponents", {
    check: expectKind("function"),
    result: expectKind("object"),
  });
  const components: Extensions["mdxComponents"] = async () =>
    Object.assign({}, ...(await loaders.eachAsync((load) => load())));
  const common = {
    ...parts,
    contentFolder: site.paths.content,
    showsErrors: mode === "dev" || site.settings.system.debug,
  };
  const highlights = site.settings.site.markdown.highlight;
  service.register(new MdxFormat({ ...common, components, highlights, cache: site.cache }));
  service.register(new TsxFormat({ ...common, modules: site.runtime.modules }));
}

/** Warns that `system.debug` shows error details to visitors of a production server. */
function warnOfDebug({ log, settings, runtime: { env } }: SiteContext): void {
  if (env.mode === "dev" || !settings.system.debug) return;
  log.warn("markdown.debug_open", {
    key: "system.debug",
    opens: "error messages with file and line in mdx and tsx pages, for every visitor",
    fix: "remove `debug: true` from system.yaml",
  });
}

/** Resolves what a body refers to. */
interface Resolvers {
  references: ReferenceResolver;
  shortcodes: Shortcodes;
  wiki: WikiLinks;
}

async function findFacts(
  { references: all, shortcodes, wiki }: Resolvers,
  page: Page,
  written: readonly string[],
  { structure }: Pick<RenderOptions, "structure">,
): Promise<Facts> {
  const references = all.of(page);
  const needs = structure === true ? "structure" : "page";
  const pages = written.filter(isWikiKey);
  const marks = written.filter((reference) => isMarkKey(reference) && !isWikiKey(reference));
  if (marks.length + pages.length === 0) return references.facts(page, written, needs);
  const links = written.filter((reference) => !isMarkKey(reference));
  return new Map([
    ...(await references.facts(page, links, needs)),
    ...(marks.length === 0 ? [] : await shortcodes.facts(page, marks)),
    ...wiki.facts(page, pages),
  ]);
}

function createBodies(site: SiteContext, resolvers: Resolvers): BodyRenderer {
  const isCached = site.settings.system.cache.enabled;
  const isExport = site.lifecycle.purpose === "export";
  const folder = join(site.paths.cache, "markdown");
  const bodies = new BodyRenderer({
    limited: new LimitedRenderer(isExport ? { limitMs: PATIENT_MS } : {}),
    cache: isCached ? new RenderCache(new RenderedFiles({ folder, isExport }), site.cache) : null,
    caches: site.cache,
    facts: (page, written, needed) => findFacts(resolvers, page, written, needed),
    onCacheError: (error) => site.log.warn("markdown.cache_failed", { error: String(error) }),
  });
  site.lifecycle.onClose(() => bodies.close());
  return bodies;
}

function readOptions({
  settings,
}: SiteContext): (page: Pick<Page, "entry"> | null) => RenderOptions {
  const { markdown } = settings.system.content;
  const options = {
    extra: markdown.extra,
    autoLinks: markdown.auto_links,
    autoUrlLinks: markdown.auto_url_links,
    orphans: settings.system.typography.orphan_protection,
  };
  return (page) => ({
    ...options,
    trusted: settings.site.trusted_html && page?.entry.frontmatter["trusted_html"] === true,
  });
}

/** A number that is another one after every change of the tree. */
function countChanges({ changes }: SiteContext): () => number {
  const counter = { value: 0 };
  changes.react("markdown", ({ changes: changed, tags }) => {
    const isOfTree = changed.some(({ kind }) => kind === "page");
    if (isOfTree || hasMedia(tags)) counter.value += 1;
  });
  return () => counter.value;
}

function hasMedia(tags: ReadonlySet<string> | null): boolean {
  return tags === null || [...tags].some((tag) => tag.startsWith("media:"));
}

// Pages share this process's preact: contexts do not work across two copies.
function provideComponents({ runtime: { modules } }: SiteContext): void {
  modules.provide("preact", async () => import("preact"));
  modules.provide("preact/hooks", async () => import("preact/hooks"));
  modules.provide("preact/jsx-runtime", async () => import("preact/jsx-runtime"));
}

/** Preloads the pipeline, so that the first page does not wait for it. */
async function warmUp(): Promise<void> {
  await import("./render/pipeline.js");
}
