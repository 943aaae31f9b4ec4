import { posix, join, sep } from "node:path";
import { readdir } from "node:fs/promises";
import { type Command, type CommandInput, exitCode, type SiteContext } from "#kernel";
import { messageOf } from "#lib/errors";
import { formatYaml } from "#lib/yaml";
import { nearest } from "#lib/values";
import type { PageEntry, ContentProblem } from "../content/contract.js";
import { folderFor, nextNumber, parseRoute, routeError, isFolderPage } from "./page-route.js";
import type { MoveReport } from "./contract.js";

/** `content:list`: every page, in tree order. */
export function listPagesCommand(): Command {
  return {
    name: "content:list",
    summary: "list every page: route, status, template, file, and why it is not shown",
    options: [["--json", "print JSON"]],
    async run({ site, out, options }) {
      const generation = (await site()).use("content").generation();
      const hidden = new Map(
        generation.problems
          .filter(({ code }) => code === "ERR_CONTENT_UNREACHABLE")
          .map(({ sourcePath, message }) => [sourcePath, message]),
      );
      const rows = generation.entries.map((entry) =>
        toRow(entry, hidden.get(entry.sourcePath) ?? null),
      );
      if (options["json"] === true) out.json({ pages: rows });
      else for (const row of rows) out.line(formatRow(row));
    },
  };
}

/** A page in the list; the columns are in the order of the keys. */
interface PageRow {
  readonly route: string;
  readonly status: string;
  readonly template: string;
  readonly title: string;
  readonly sourcePath: string;
  /** Why the page is not shown; null when it is. */
  readonly unreachable: string | null;
}

function formatRow({ unreachable, ...row }: PageRow): string {
  return [...Object.values(row), ...(unreachable === null ? [] : [unreachable])].join("  ");
}

function toRow(entry: PageEntry, unreachable: string | null): PageRow {
  const { url, title, status, published, template, sourcePath } = entry;
  return {
    route: url,
    status: published ? status : "draft",
    template,
    title,
    sourcePath,
    unreachable,
  };
}

/** `content:create`: a new page for a route, unpublished by default. */
export function createPageCommand(): Command {
  return {
    name: "content:create",
    summary: "create a page for a route, unpublished unless --publish is given",
    arguments: "<route>",
    options: [
      ["--title <title>", "title of the page (default: from the route)"],
      ["--template <name>", "template of the page (default: default)"],
      ["--flat", "create a file instead of a folder"],
      ["--publish", "publish it at once"],
      ["--json", "print JSON"],
    ],
    run: (input) => exitCode(input, () => createPage(input)),
  };
}

async function createPage({ site, args, options, out }: CommandInput): Promise<number> {
  const context = await site();
  const route = parseRoute(args[0] ?? "");
  const template = toText(options["template"]) ?? "default";
  assertTemplate(context, template);
  const path = pathFor(context, { route, template, isFlat: options["flat"] === true });
  const content = newPage(route, options);
  const [result] = await context.use("content").apply([{ op: "write", path, content }]);
  if (options["json"] === true) out.json({ route, ...result });
  else if (result?.status === "error") out.error(result.errors.join("; "));
  else out.line(`${path}  ${route}`);
  return result?.status === "created" ? 0 : 1;
}

function newPage(route: string, options: Readonly<Record<string, unknown>>): string {
  const title = toText(options["title"]) ?? toTitle(route);
  const template = toText(options["template"]);
  const matter = {
    title,
    ...(options["flat"] === true && template !== undefined && { template }),
    ...(options["publish"] !== true && { published: false }),
  };
  return `---\n${formatYaml(matter)}---\n\n# ${title.replace(/\s+/g, " ")}\n`;
}

interface NewPageOptions {
  readonly route: string;
  readonly template: string;
  /** True: a file in the folder of its parent; false: a folder of its own. */
  readonly isFlat: boolean;
}

function pathFor(site: SiteContext, { route, template, isFlat }: NewPageOptions): string {
  const lang = site.settings.system.languages.default;
  const generation = site.use("content").generation();
  const taken = generation.at(route, lang);
  if (taken !== undefined) throw routeError(`${taken.sourcePath} has the route ${route}`, 409);
  const folder = folderFor(generation, posix.dirname(route), lang);
  const name = posix.basename(route);
  if (isFlat) return posix.join(folder, `${name}.md`);
  return posix.join(folder, nextNumber(generation, folder) + name, `${template}.md`);
}

function assertTemplate(site: SiteContext, template: string): void {
  const render = site.use("render", { optional: true });
  if (!/^[\w-]+$/.test(template))
    throw routeError(`${JSON.stringify(template)} is not the name of a template`, 400);
  if (render === undefined || render.has(template)) return;
  const near = nearest(template, render.templates());
  const hint = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
  throw routeError(`no theme has the template ${JSON.stringify(template)}${hint}`, 400);
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function toTitle(route: string): string {
  const words = posix.basename(route).replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `content:move`: moves a page to another route, updates links and adds a redirect. */
export function movePageCommand(): Command {
  return {
    name: "content:move",
    summary: "move a page to another route, update links and redirect the old address",
    arguments: "<route> <new-route>",
    options: [
      ["--dry-run", "show what would change"],
      ["--no-redirect", "do not redirect the old address"],
      ["--json", "print JSON"],
    ],
    run: (input) => exitCode(input, () => movePage(input)),
  };
}

async function movePage({ site, args, options, out }: CommandInput): Promise<number> {
  const check = (await site()).use("check");
  const moves = check.movesFor(args[0] ?? "", args[1] ?? "");
  const report = await check.move(moves, {
    dryRun: options["dryRun"] === true,
    redirect: options["redirect"] !== false,
  });
  if (options["json"] === true) out.json({ moves, ...report });
  else {
    for (const { path, to } of moves) out.line(`${path} → ${to}`);
    printReport(report, out);
  }
  return report.ok && report.redirectError === null ? 0 : 1;
}

function printReport(report: MoveReport, out: CommandInput["out"]): void {
  for (const path of report.rewritten) out.line(`links rewritten: ${path}`);
  for (const { path, errors } of report.results) {
    if (errors.length > 0) out.error(`${path}: ${errors.join("; ")}`);
  }
  if (report.redirectError !== null) out.error(report.redirectError);
}

/** `content:delete`: a page with its media and everything below it. */
export function deletePageCommand(): Command {
  return {
    name: "content:delete",
    summary: "delete the page of a route, with its media, translations and the pages below it",
    arguments: "<route>",
    options: [
      ["--confirm", "really delete"],
      ["--dry-run", "show what would be deleted"],
      ["--json", "print JSON"],
    ],
    run: (input) => exitCode(input, () => deletePage(input)),
  };
}

async function deletePage({ site, args, options, out }: CommandInput): Promise<number> {
  const context = await site();
  const entry = findEntry(context, args[0] ?? "");
  const files = await listFiles(context, entry);
  const references = await context.use("check").references(...files);
  const isReal = options["confirm"] === true && options["dryRun"] !== true;
  const changes = files.map((path) => ({ op: "delete" as const, path }));
  const results = await context.use("content").apply(changes, { dryRun: !isReal });
  if (options["json"] === true) out.json({ deleted: isReal, results, references });
  else {
    for (const { path, errors } of results) out.line([path, ...errors].join("  "));
    for (const { from, line } of references) out.line(`linked from ${from}:${line}`);
    if (!isReal) out.line("nothing was deleted; add --confirm to delete these files");
  }
  const isRefused = results.some(({ status }) => status === "error");
  const isAsked = isReal || options["dryRun"] === true;
  return isRefused || !isAsked ? 1 : 0;
}

function findEntry(site: SiteContext, text: string): PageEntry {
  const route = parseRoute(text);
  const entry = site.use("content").generation().at(route, site.settings.system.languages.default);
  if (entry === undefined) throw routeError(`there is no page at ${JSON.stringify(route)}`, 404);
  return entry;
}

/** Every file of the page: its folder, or the file with its translations. */
async function listFiles(site: SiteContext, entry: PageEntry): Promise<string[]> {
  if (!isFolderPage(entry)) {
    const { entries } = site.use("content").generation();
    const same = entries.filter(
      ({ folder, route }) => folder === entry.folder && route === entry.route,
    );
    return same.map(({ sourcePath }) => sourcePath);
  }
  const items = await readdir(join(site.paths.content, entry.folder), {
    recursive: true,
    withFileTypes: true,
  });
  return items
    .filter((item) => !item.isDirectory() && !item.name.startsWith("."))
    .map((item) => join(item.parentPath, item.name).slice(site.paths.content.length + 1))
    .map((path) => path.split(sep).join(posix.sep));
}

/** The line of the progress changes after this many pages. */
const PROGRESS_STEP = 10;

/** `content:check`: all problems of the content. */
export function checkContentCommand(): Command {
  return {
    name: "content:check",
    summary:
      "report problems of the content: skipped pages, broken links, missing templates, unused files",
    options: [
      ["--strict", "exit 1 for warnings too"],
      ["--json", "print JSON"],
    ],
    async run({ site, out, options }) {
      const check = (await bootToCheck({ site, out })).use("check");
      const bar = out.progress("checking pages", 0);
      const problems = await check.problems((done, total) => {
        if (done % PROGRESS_STEP === 0) bar.tick(done, `of ${total}`);
      });
      bar.end();
      const errors = problems.filter(({ severity }) => severity === "error").length;
      if (options["json"] === true)
        out.json({ problems, errors, warnings: problems.length - errors });
      else {
        for (const problem of problems) out.line(formatProblem(problem));
        out.line(
          problems.length === 0
            ? "no problems"
            : `${errors} errors, ${problems.length - errors} warnings`,
        );
      }
      const failures = options["strict"] === true ? problems.length : errors;
      return failures > 0 ? 1 : 0;
    },
  };
}

/**
 * A site with the routes of all selected plugins, because they hide pages and are targets of links. Where it does not
 * start, as without the secrets of the server, a site without the plugins that only a server needs.
 */
async function bootToCheck({
  site,
  out,
}: Pick<CommandInput, "site" | "out">): Promise<SiteContext> {
  try {
    return await site();
  } catch (error) {
    const context = await site({ purpose: "export" });
    out.error(
      `${out.colour.yellow("!")} the routes of plugins that only a server needs are unknown: ${messageOf(error)}`,
    );
    return context;
  }
}

function formatProblem(problem: ContentProblem): string {
  const { sourcePath, severity, code, message, line, key, value, fix } = problem;
  const position = line === undefined ? sourcePath : `${sourcePath}:${line}`;
  const setting = value === undefined ? "" : `  ${key}: ${value}`;
  const hint = fix === undefined ? "" : `  ${fix}`;
  return `${position}  ${severity}  ${message}${setting}${hint}  (${code})`;
}
