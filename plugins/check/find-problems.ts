/** All problems of the content, from every plugin that reports some. */
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { type SiteContext, isRecord, SiteError } from "#kernel";
import { nearest } from "#lib/values";
import { pageStem } from "#lib/text";
import type { ContentProblem, ContentService, Generation, PageEntry } from "../content/contract.js";
import { brokenLinks } from "./broken-links.js";
import { LOGIN_FIX, withoutLogin } from "./diagnostics.js";
import type { CheckProblem } from "./errors.js";
import { missingOfRecords } from "./references.js";
import type { Links } from "./link-graph.js";
import { nearMisses } from "./near-misses.js";
import { isOutdated } from "./translations.js";

/** Problems of Markdown that leave a page readable. */
const WARNINGS: ReadonlySet<string> = new Set(["ERR_MARKDOWN_SHORTCODE", "ERR_MARKDOWN_WIKI_LINK"]);

/** Beginning of the read tags of files. */
const PAGE_TAG = "page:";

/** Called with the number of checks of pages that are done, and of all. */
export type OnPage = (done: number, total: number) => void;

/** All problems, by path and line. Each page is checked twice: its links, and its Markdown. */
export async function findProblems(
  site: SiteContext,
  links: Links,
  onPage: OnPage = () => undefined,
): Promise<ContentProblem[]> {
  const content = site.use("content");
  const total = links.from.size + links.generation.entries.length;
  let done = 0;
  const tick = (): void => onPage((done += 1), total);
  const broken = await brokenLinks(site, links, tick);
  const rendered = await checkRendering(site, links.generation.entries, tick);
  const problems: ContentProblem[] = [
    ...links.generation.problems.filter(({ isInRoot }) => isInRoot !== true),
    ...(await content.mediaProblems()),
    ...((await site.use("media", { optional: true })?.imageProblems()) ?? []),
    ...content.blueprints.problems,
    ...content.problems().filter(({ isInRoot }) => isInRoot),
    ...(await violations(content, links.generation.entries)),
    ...broken,
    ...missingTemplates(site, links.generation.entries),
    ...(await collectionProblems(content, links.generation.entries)),
    ...missingLogin(site, links.generation.entries),
    ...nearMisses(site, links.generation.entries),
    ...missingHome(site, links.generation),
    ...translations(site, links.generation.entries),
    ...(await findOrphans(content, links, rendered.read)),
    ...((await site.use("flex", { optional: true })?.problems()) ?? []),
    ...(await missingOfRecords(site)),
    ...rendered.problems,
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
  const problems: ContentProblem[] = [];
  for (const entry of entries) problems.push(...(await blueprints.violations(entry)));
  return problems;
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
  for (const entry of entries) byRoute.set(toKey(entry, entry.lang), entry);
  return entries
    .filter(({ lang, routable }) => lang === main && routable)
    .flatMap((entry) =>
      others.flatMap((lang) => translation(entry, lang, byRoute.get(toKey(entry, lang)))),
    );
}

/** Translations are files beside each other; their routes may differ. */
function toKey({ sourcePath, lang }: PageEntry, language: string): string {
  return `${pageStem(sourcePath, lang)} ${language}`;
}

/** Times of the files of one checkout or copy differ by less. */
const CHECKOUT_MS = 60_000;

function translation(entry: PageEntry, lang: string, other: PageEntry | undefined): CheckProblem[] {
  const { sourcePath } = entry;
  if (other === undefined) {
    const message = `the page is missing in ${JSON.stringify(lang)}`;
    return [{ sourcePath, severity: "warning", code: "ERR_CHECK_UNTRANSLATED", message }];
  }
  if (!isOutdated(entry, other, CHECKOUT_MS)) return [];
  const message = `${sourcePath} has changed since this translation`;
  return [
    { sourcePath: other.sourcePath, severity: "warning", code: "ERR_CHECK_OUTDATED", message },
  ];
}

/** What rendering finds. */
interface RenderingChecks {
  /** Of pages that are programs, and of shortcodes and wiki links. */
  readonly problems: readonly ContentProblem[];
  /** Paths of the files that pages show, such as included ones. */
  readonly read: ReadonlySet<string>;
}

async function checkRendering(
  site: SiteContext,
  entries: readonly PageEntry[],
  onPage: () => void,
): Promise<RenderingChecks> {
  const markdown = site.use("markdown", { optional: true });
  const read = new Set<string>();
  if (markdown === undefined) return { problems: [], read };
  const content = site.use("content");
  for (const entry of entries) {
    onPage();
    if (entry.format !== "mdx" && entry.format !== "md") continue;
    const version = content.version(entry);
    if (version !== null && !markdown.needsCheck({ entry, body: version.body })) continue;
    const page = await content.source(entry.sourcePath);
    if (page === null || !markdown.needsCheck(page)) continue;
    const { reads = [] } = await markdown.render(page, {}, "structure");
    for (const tag of reads) if (tag.startsWith(PAGE_TAG)) read.add(tag.slice(PAGE_TAG.length));
  }
  const problems = markdown.problems().map(({ column: _column, ...problem }): ContentProblem => ({
    ...problem,
    severity: WARNINGS.has(problem.code) ? "warning" : "error",
  }));
  return { problems, read };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Media that no page uses: files beside pages without a reference in a link or in the front matter of a page
 * beside them, and that no page shows otherwise (`read`).
 */
export async function findOrphans(
  content: Pick<ContentService, "media">,
  { generation, all }: Links,
  read: ReadonlySet<string> = new Set(),
): Promise<ContentProblem[]> {
  const linked = new Set(
    all.flatMap(({ resolved }) => (resolved.kind === "media" ? [resolved.path] : [])),
  );
  const problems: ContentProblem[] = [];
  for (const [folder, entries] of byFolder(generation.entries)) {
    // A page that is a program may use its files in any way.
    if (entries.some(({ format }) => format !== "md")) continue;
    const texts = entries.flatMap(({ frontmatter }) => listTexts(frontmatter));
    for (const { name } of await content.media(folder)) {
      const sourcePath = posix.join(folder, name);
      if (linked.has(sourcePath) || read.has(sourcePath)) continue;
      if (texts.some((text) => hasFileName(text, name))) continue;
      const message = "no page uses this file";
      problems.push({ sourcePath, severity: "warning", code: "ERR_CHECK_ORPHAN", message });
    }
  }
  return problems;
}

/** All keys and texts of a value. */
function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return isRecord(value) ? Object.entries(value).flat().flatMap(listTexts) : [];
}

/** True when a text has this name, not only one that contains it: `banana.png` does not use `a.png`. */
function hasFileName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + name.length, at + name.length + 3);
    if (!/[\p{L}\p{N}._-]$/u.test(before) && !/^\.?[\p{L}\p{N}_-]/u.test(after)) return true;
  }
  return false;
}

function byFolder(entries: readonly PageEntry[]): Map<string, PageEntry[]> {
  const folders = new Map<string, PageEntry[]>();
  for (const entry of entries) {
    const folder = folders.get(entry.folder);
    if (folder === undefined) folders.set(entry.folder, [entry]);
    else folder.push(entry);
  }
  return folders;
}

const LOGIN_MESSAGE =
  "the page has `roles`, and this site has no login: add `auth` to site.yaml, or remove `roles`";

/** A warning for each gated page of a site without a login. An export loads no login, whatever the site has. */
function missingLogin(site: SiteContext, entries: readonly PageEntry[]): CheckProblem[] {
  if (site.lifecycle.purpose === "export") return [];
  return withoutLogin(site.use("content"), entries).map(({ sourcePath }) => ({
    sourcePath,
    severity: "warning",
    code: "ERR_CHECK_LOGIN",
    message: LOGIN_MESSAGE,
  }));
}

/** Warns at startup, before visitors get a 403 although there is no login. */
export function warnOfMissingLogin(site: SiteContext): void {
  const [first, ...others] = withoutLogin(site.use("content"));
  if (first === undefined) return;
  const pages = others.length + 1;
  site.log.warn("check.no_login", { pages, first: first.sourcePath, fix: LOGIN_FIX });
}

type Query = Readonly<Record<string, unknown>>;

const CODE = "ERR_CHECK_COLLECTION";
/** Orders that are not a key of a page's front matter. */
const ORDERS = [
  "default",
  "date",
  "title",
  "order",
  "route",
  "published",
  "visible",
  "routable",
  "template",
  "format",
  "lang",
];

/** Unknown sources and orders, and invalid limits, in the collections of every page. */
async function collectionProblems(
  content: Pick<ContentService, "viewAll">,
  entries: readonly PageEntry[],
): Promise<CheckProblem[]> {
  const problems: CheckProblem[] = [];
  for (const entry of entries) {
    for (const [key, query] of listQueries(entry)) {
      const { sourcePath } = entry;
      const source = await sourceProblem(content, entry, query);
      if (source !== null) {
        const message = `${key}: ${source}`;
        problems.push({ sourcePath, severity: "error", code: CODE, message });
      }
      for (const text of valueProblems(query, entries)) {
        const message = `${key}.${text}`;
        problems.push({ sourcePath, severity: "warning", code: CODE, message });
      }
    }
  }
  return problems;
}

function listQueries({ frontmatter }: PageEntry): [key: string, query: Query][] {
  const { collection, collections } = frontmatter;
  const single: [string, unknown][] = [["collection", collection]];
  const named = isRecord(collections) ? Object.entries(collections) : [];
  const all = [...single, ...named.map(([name, query]) => [`collections.${name}`, query] as const)];
  return all.flatMap(([key, query]) => (isRecord(query) ? [[key, query]] : []));
}

async function sourceProblem(
  content: Pick<ContentService, "viewAll">,
  entry: PageEntry,
  { items }: Query,
): Promise<string | null> {
  if (typeof items !== "string" && !isRecord(items)) return "`items` is missing; name a source";
  try {
    await content.viewAll().collection({ items, limit: 1 }, entry);
    return null;
  } catch (error) {
    if (!(error instanceof SiteError) || error.code !== "ERR_COLLECTION_SOURCE") throw error;
    return error.message;
  }
}

function valueProblems(query: Query, entries: readonly PageEntry[]): string[] {
  const order = isRecord(query["order"]) ? query["order"] : {};
  const pagination = isRecord(query["pagination"]) ? query["pagination"] : {};
  return [
    ...orderProblems(order, entries),
    ...numberProblem("limit", query["limit"], 1),
    ...numberProblem("offset", query["offset"], 0),
    ...numberProblem("pagination.size", pagination["size"], 1),
  ];
}

function orderProblems({ by, dir }: Query, entries: readonly PageEntry[]): string[] {
  const problems: string[] = [];
  if (by !== undefined && !isKnownOrder(by, entries)) {
    const near = typeof by === "string" ? nearest(by, ORDERS) : null;
    const hint = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
    problems.push(`order.by: no page has ${JSON.stringify(by)}${hint}`);
  }
  if (dir !== undefined && dir !== "asc" && dir !== "desc") {
    problems.push(`order.dir: ${JSON.stringify(dir)} is neither "asc" nor "desc"`);
  }
  return problems;
}

function isKnownOrder(by: unknown, entries: readonly PageEntry[]): boolean {
  if (typeof by !== "string") return false;
  const key = by.replace(/^frontmatter\./, "").split(".", 1)[0] ?? "";
  return ORDERS.includes(by) || entries.some(({ frontmatter }) => Object.hasOwn(frontmatter, key));
}

function numberProblem(key: string, value: unknown, least: number): string[] {
  const isRight = typeof value === "number" && Number.isInteger(value) && value >= least;
  if (value === undefined || value === null || isRight) return [];
  return [`${key}: ${JSON.stringify(value)} is not a whole number from ${least}`];
}
