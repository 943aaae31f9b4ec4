import { mkdir } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import { lstatSync, type Stats } from "node:fs";
import type { SiteContext } from "#kernel";
import { errorCode } from "#lib/errors";
import { parseBaseUrl, type BaseAddress, pageKey } from "./plan/addresses.js";
import { apiJobs, encodePath, themeUrls } from "./plan/site-urls.js";
import {
  commit,
  resume,
  STAGE,
  assertOurs,
  lockOutFolder,
  openOutFolder,
  WORK,
} from "./commit/out-folder.js";
import type { ExportReport, ExportFailure } from "./contract.js";
import { asWriteError } from "./errors.js";
import { ExportRun, followLostLinks } from "./export-run.js";
import type { FailureLog } from "./make/page-exporter.js";
import { hostFiles, sampleAnswer } from "./commit/host-files.js";
import {
  exportPageList,
  exportSearch,
  GeneratedFiles,
  searchHeads,
} from "./make/generated-files.js";
import { formatManifest, type Redirect, type Manifest, type Output } from "./commit/manifest.js";
import { copyFiles } from "./make/media-copies.js";
import { openWorkers } from "./make/workers.js";
import { planExport, type ExportPlan } from "./plan/plan-export.js";

/** Options of an export. */
export interface ExportOptions {
  /** Folder of the export; absolute. */
  out: string;
  /** Number of threads that render pages. */
  concurrency: number;
  includesDrafts: boolean;
  /** True: ignores the last export and renders everything. */
  isFresh: boolean;
  failures: FailureLog;
  onProgress(done: number, total: number): void;
}

/**
 * Exports a site that was booted for it. Files that did not change since the last export stay; new
 * files are moved into place together, at the end.
 * @throws ERR_STATIC_OUT, ERR_STATIC_FOREIGN, ERR_STATIC_BUSY, ERR_STATIC_WRITE, ERR_STATIC_THREAD.
 */
export async function exportSite(site: SiteContext, options: ExportOptions): Promise<ExportReport> {
  const out = await openOutFolder(options.out, site.paths);
  await assertOurs(out);
  try {
    return await exportAlone(site, { ...options, out });
  } catch (error) {
    throw asWriteError(error, basename(out));
  }
}

async function exportAlone(site: SiteContext, options: ExportOptions): Promise<ExportReport> {
  const lock = await lockOutFolder(options.out);
  try {
    await resume(options.out);
    return await exportInto(site, options);
  } finally {
    lock.release();
  }
}

async function exportInto(site: SiteContext, options: ExportOptions): Promise<ExportReport> {
  const { out } = options;
  const started = performance.now();
  const stages = new Stages();
  if (options.includesDrafts) site.use("static").showDrafts();
  const plan = await stages.time("plan", () => planExport(site, options));
  const stage = join(out, WORK, STAGE);
  await mkdir(stage, { recursive: true });
  const siteAddress = parseBaseUrl(site.settings.site.url);
  const { before, freshness } = plan;
  const generated = new GeneratedFiles(before, freshness, stage);
  const run = newRun(plan, options);
  // All threads render pages first, so that search finds all Markdown in the cache and renders
  // nothing twice.
  await stages.time("pages", () => exportPages(site, run, { plan, siteAddress, stage, options }));
  await stages.time("search", () => exportSearch(site, generated, out));
  const copied = await stages.time("media", () =>
    copyFiles(plan.copies, { before, stage, isOnDisk: freshness.isOnDisk.bind(freshness) }),
  );
  await stages.time("hosts", () => exportForHosts(site, run, generated, siteAddress));
  const all = new Assembly(out, plan.isDamaged ? "damaged" : before);
  for (const part of [run, copied, generated]) all.add(part);
  all.checkFolders();
  const removes = [...(before?.outputs.keys() ?? [])].filter((file) => !all.outputs.has(file));
  await stages.time("write", () =>
    commit(out, { moves: all.moves, removes, manifest: formatResult(plan, run, all) }),
  );
  const failures = [...run.failures, ...all.failures];
  return {
    success: failures.length === 0,
    out,
    baseUrl: siteAddress.baseUrl,
    files: all.outputs.size,
    rendered: run.rendered,
    kept: run.kept,
    written: all.moves.length,
    removed: removes.length,
    gated: plan.gated,
    leftOut: plan.leftOut,
    failures,
    broken: run.links.broken(),
    deadRedirects: run.deadRedirects(),
    elapsedMs: Math.round(performance.now() - started),
    stages: stages.ms,
  };
}

function newRun(plan: ExportPlan, { onProgress }: ExportOptions): ExportRun {
  const { before, freshness, copies, untracked } = plan;
  return new ExportRun({
    before,
    freshness,
    present: new Set(copies.map(({ url }) => pageKey(url))),
    isUntracked: (url) => untracked.has(url),
    onProgress,
  });
}

/** The pages of an export, and where their files go. */
interface PagesToExport {
  readonly plan: ExportPlan;
  readonly siteAddress: BaseAddress;
  /** Folder of new files; absolute. */
  readonly stage: string;
  readonly options: ExportOptions;
}

async function exportPages(
  site: SiteContext,
  run: ExportRun,
  { plan, siteAddress, stage, options }: PagesToExport,
): Promise<void> {
  for (const url of plan.urls) run.want({ url });
  for (const url of themeUrls(site)) run.want({ url });
  const files = site.use("markdown", { optional: true })?.fileAddresses() ?? [];
  for (const url of files) run.want({ url });
  for (const job of apiJobs(site, plan.view)) run.want(job);
  run.want({ url: "/404", file: "404.html", status: 404 });
  run.followKept();
  const workers = openWorkers(site, run.waiting, {
    siteAddress,
    stage,
    searchHeads: searchHeads(site, siteAddress),
    showsDrafts: options.includesDrafts,
    failures: options.failures,
    concurrency: options.concurrency,
  });
  try {
    do {
      await run.work(workers);
      await followLostLinks(run, plan.before, options.out, siteAddress);
    } while (run.waiting > 0);
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
  }
}

async function exportForHosts(
  site: SiteContext,
  run: ExportRun,
  generated: GeneratedFiles,
  siteAddress: BaseAddress,
): Promise<void> {
  await exportPageList(site, generated);
  const sample = await sampleAnswer(site);
  const { outputs, redirects } = run;
  const files = hostFiles({
    siteAddress,
    outputs,
    redirects: redirects.values(),
    rules: redirectRules(site),
    sample,
  });
  for (const [file, text] of files) {
    await generated.put(file, text);
  }
}

/** Redirects of everything below an address, as hosts write them: `/old/*`. */
function redirectRules(site: SiteContext): Redirect[] {
  const status = site.settings.site.redirect_status;
  return site
    .use("content")
    .redirects()
    .filter(({ kind }) => kind === "below")
    .map(({ path, to }) => ({ from: `${path === "/" ? "" : encodePath(path)}/*`, to, status }));
}

function formatResult(plan: ExportPlan, run: ExportRun, all: Assembly): string {
  const { basis, tree, facts } = plan;
  const broken = Object.fromEntries(run.links.broken().map(({ target, from }) => [target, from]));
  const redirects = [...run.redirects.values()];
  return formatManifest({
    basis,
    tree,
    facts,
    outputs: all.outputs,
    redirects,
    linked: run.linked(),
    broken,
  });
}

/** A part of the export: its files, and which of them are new. */
interface Part {
  outputs: ReadonlyMap<string, Output>;
  moves: readonly (readonly [staged: string, file: string])[];
}

/** All files of an export, each path once. */
class Assembly {
  readonly outputs = new Map<string, Output>();
  readonly moves: (readonly [staged: string, file: string])[] = [];
  readonly failures: ExportFailure[] = [];
  readonly #out: string;
  readonly #before: Manifest | null | "damaged";

  /** `before`: null without an earlier export; `damaged` when any existing file may be ours. */
  constructor(out: string, before: Manifest | null | "damaged") {
    this.#out = out;
    this.#before = before;
  }

  /** Adds a part. The first file at a path wins; the second is reported as a failure. */
  add({ outputs, moves }: Part): void {
    const staged = new Map(moves.map(([name, file]) => [file, name]));
    for (const [file, output] of outputs) {
      const problem = this.#problem(file, output, staged.has(file));
      if (problem !== null) {
        this.failures.push({ url: output.url, message: problem });
        continue;
      }
      this.outputs.set(file, output);
      const name = staged.get(file);
      if (name !== undefined) this.moves.push([name, file]);
    }
  }

  /** Files that are also a folder of another file, which no file system allows. */
  checkFolders(): void {
    const folders = new Set(["."]);
    for (const [file, { url }] of this.outputs) {
      const folder = this.#fileOnTheWay(posix.dirname(file), folders);
      if (folder === null) continue;
      const other = this.outputs.get(folder)?.url ?? "";
      this.failures.push({ url, message: `${folder} is a file already, made from ${other}` });
      this.outputs.delete(file);
      const at = this.moves.findIndex(([, moved]) => moved === file);
      if (at !== -1) this.moves.splice(at, 1);
    }
  }

  /**
   * The nearest folder, from `path` upwards, that is a file. `known` contains those that are not.
   */
  #fileOnTheWay(path: string, folders: Set<string>): string | null {
    if (folders.has(path)) return null;
    if (this.outputs.has(path)) return path;
    const above = this.#fileOnTheWay(posix.dirname(path), folders);
    if (above === null) folders.add(path);
    return above;
  }

  #problem(file: string, { url }: Output, isNew: boolean): string | null {
    const other = this.outputs.get(file);
    if (other !== undefined && other.url !== url) {
      return `${file} is made from ${other.url} too; give one of them another name`;
    }
    const before = this.#before;
    if (!isNew || before === "damaged" || before?.outputs.has(file) === true) return null;
    const stats = readStats(join(this.#out, file));
    const isOurs =
      stats === "below a file" ? this.#isBelowOurs(file) : stats === null || stats.isDirectory();
    return isOurs ? null : `${file} lies in the export's folder and was not written by an export`;
  }

  /** True when a file of the last export must be removed to make way for a folder. */
  #isBelowOurs(file: string): boolean {
    const before = this.#before;
    if (before === null || before === "damaged") return false;
    for (let at = posix.dirname(file); at !== "."; at = posix.dirname(at)) {
      if (before.outputs.has(at)) return true;
    }
    return false;
  }
}

function readStats(path: string): Stats | "below a file" | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return "below a file";
    throw error;
  }
}

/** Measures the duration of each stage. */
class Stages {
  readonly ms: Record<string, number> = {};

  async time<T>(name: string, work: () => Promise<T> | T): Promise<T> {
    const from = performance.now();
    try {
      return await work();
    } finally {
      this.ms[name] = Math.round((this.ms[name] ?? 0) + performance.now() - from);
    }
  }
}
