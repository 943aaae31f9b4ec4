/** All problems of the content, from every plugin that reports some. */
import { existsSync } from "node:fs";
import type { SiteContext } from "#kernel";
import { nearest } from "#lib/values";
import { pageStem } from "#lib/text";
import type { ContentProblem, ContentService, Generation, PageEntry } from "../content/contract.js";
import { collectionProblems } from "./check-collections.js";
import { brokenLinks } from "./broken-links.js";
import type { CheckProblem } from "./errors.js";
import { missingOfRecords } from "./record-relations.js";
import type { Links } from "./link-graph.js";
import { missingLogin } from "./missing-login.js";
import { nearMisses } from "./near-misses.js";
import { findOrphans } from "./find-orphans.js";

/** Problems of Markdown that leave a page readable. */
const WARNINGS: ReadonlySet<string> = new Set(["ERR_MARKDOWN_SHORTCODE", "ERR_MARKDOWN_WIKI_LINK"]);

/** All problems, by path and line. */
export async function findProblems(site: SiteContext, links: Links): Promise<ContentProblem[]> {
  const content = site.use("content");
  const problems: ContentProblem[] = [
    ...links.generation.problems.filter(({ isInRoot }) => isInRoot !== true),
    ...(await content.mediaProblems()),
    ...((await site.use("media", { optional: true })?.imageProblems()) ?? []),
    ...content.blueprints.problems,
    ...content.problems().filter(({ isInRoot }) => isInRoot),
    ...(await violations(content, links.generation.entries)),
    ...(await brokenLinks(site, links)),
    ...missingTemplates(site, links.generation.entries),
    ...(await collectionProblems(content, links.generation.entries)),
    ...missingLogin(site, links.generation.entries),
    ...nearMisses(site, links.generation.entries),
    ...missingHome(site, links.generation),
    ...translations(site, links.generation.entries),
    ...(await findOrphans(content, links)),
    ...((await site.use("flex", { optional: true })?.problems()) ?? []),
    ...(await missingOfRecords(site)),
    ...(await markdownProblems(site, links.generation.entries)),
  ];
  return problems.toSorted(
    (a, b) =>
      compare(a.sourcePath, b.sourcePath) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      compare(a.code, b.code),
  );
}

async function violations(
  { blueprints }: ContentService,
  entries: readonly PageEntry[],
): Promise<ContentProblem[]> {
  const found: ContentProblem[] = [];
  for (const entry of entries) found.push(...(await blueprints.violations(entry)));
  return found;
}

/** No page at `/`. An unreadable folder is reported as such. */
function missingHome({ paths, settings }: SiteContext, { entries }: Generation): CheckProblem[] {
  const main = settings.system.languages.default;
  const isHome = ({ route, routable, lang }: PageEntry): boolean =>
    routable && route === "/" && lang === main;
  if (!existsSync(paths.content) || entries.some(isHome)) return [];
  const sourcePath = settings.system.content.dir;
  const message = "no page has the route /; create index.md, or set `home` in site.yaml";
  return [{ sourcePath, severity: "error", code: "ERR_CHECK_HOME", message }];
}

function missingTemplates(site: SiteContext, entries: readonly PageEntry[]): CheckProblem[] {
  const render = site.use("render", { optional: true });
  if (render === undefined) return [];
  const { blueprints } = site.use("content");
  return entries
    .map((entry) => ({
      ...entry,
      template: blueprints.of(entry.template)?.template ?? entry.template,
    }))
    .filter(({ template, routable }) => routable && !render.has(template))
    .map(({ sourcePath, template }) => {
      const near = nearest(template, render.templates());
      const hint = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
      const message = `no theme has the template ${JSON.stringify(template)}${hint}`;
      return { sourcePath, severity: "error", code: "ERR_CHECK_TEMPLATE", message };
    });
}

/** Pages of the default language that are missing or outdated in other languages. */
function translations(site: SiteContext, entries: readonly PageEntry[]): CheckProblem[] {
  const { supported, default: main } = site.settings.system.languages;
  const others = supported.filter((lang) => lang !== main);
  const byRoute = new Map<string, PageEntry>();
  for (const entry of entries) byRoute.set(keyOf(entry, entry.lang), entry);
  return entries
    .filter(({ lang, routable }) => lang === main && routable)
    .flatMap((entry) =>
      others.flatMap((lang) => translation(entry, lang, byRoute.get(keyOf(entry, lang)))),
    );
}

/** Translations are files beside each other; their routes may differ. */
function keyOf({ sourcePath, lang }: PageEntry, wanted: string): string {
  return `${pageStem(sourcePath, lang)} ${wanted}`;
}

function translation(entry: PageEntry, lang: string, other: PageEntry | undefined): CheckProblem[] {
  const { sourcePath } = entry;
  if (other === undefined) {
    const message = `the page is missing in ${JSON.stringify(lang)}`;
    return [{ sourcePath, severity: "warning", code: "ERR_CHECK_UNTRANSLATED", message }];
  }
  // Files of one checkout or copy have slightly different times.
  if (other.mtimeMs + 60_000 >= entry.mtimeMs) return [];
  const message = `${sourcePath} has changed since this translation`;
  return [
    { sourcePath: other.sourcePath, severity: "warning", code: "ERR_CHECK_OUTDATED", message },
  ];
}

/** Problems that rendering finds: of pages that are programs, and of shortcodes and wiki links. */
async function markdownProblems(
  site: SiteContext,
  entries: readonly PageEntry[],
): Promise<ContentProblem[]> {
  const markdown = site.use("markdown", { optional: true });
  if (markdown === undefined) return [];
  const marks = markdown.shortcodes().length > 0 ? ["[[", "{{"] : ["[["];
  for (const { sourcePath, format } of entries) {
    if (format !== "mdx" && format !== "md") continue;
    const page = await site.use("content").source(sourcePath);
    if (page === null) continue;
    if (format === "md" && !marks.some((mark) => page.body.includes(mark))) continue;
    await markdown.render(page);
  }
  return markdown.problems().map(({ column: _column, ...problem }) => ({
    ...problem,
    severity: WARNINGS.has(problem.code) ? "warning" : "error",
  }));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
