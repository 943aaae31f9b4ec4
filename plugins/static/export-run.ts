import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DeadRedirect, ExportFailure, BrokenLink } from "./contract.js";
import type { Freshness } from "./plan/plan-export.js";
import type { ExportWorker } from "./make/workers.js";
import type { Manifest, Output, Redirect } from "./commit/manifest.js";
import type { ExportJob, ExportOutcome } from "./make/page-exporter.js";
import { pageKey, type BaseAddress } from "./plan/addresses.js";
import { encodePath } from "./plan/site-urls.js";
import { PageRewriter } from "./make/page-rewriter.js";

/** Number of jobs per batch. */
const BATCH = 24;

/** Options of a run. */
interface RunOptions {
  before: Manifest | null;
  freshness: Freshness;
  /** Paths that need no request: copied media. */
  present: ReadonlySet<string>;
  /** True for pages whose responses depend on more than their tags. */
  isUntracked(url: string): boolean;
  onProgress(done: number, total: number): void;
}

/** Requests outdated addresses, follows links, and tracks all files. */
export class ExportRun {
  readonly outputs = new Map<string, Output>();
  readonly moves: [staged: string, file: string][] = [];
  readonly redirects = new Map<string, Redirect>();
  readonly failures: ExportFailure[] = [];
  readonly links = new LinkSources();
  readonly #options: RunOptions;
  /** Address to file of the last export. */
  readonly #files = new Map<string, string>();
  readonly #jobs: ExportJob[] = [];
  /** URLs that only links lead to. */
  readonly #linked = new Set<string>();
  /** URL of a page of the last export to its stored link targets. */
  readonly #lastLinks = new Map<string, string[]>();
  /** URLs of unchanged pages whose stored links have not been followed yet. */
  readonly #unfollowed: string[] = [];
  readonly #seen = new Set<string>();
  /** The files of pages that this run rendered. */
  readonly #made: Output[] = [];
  /** True after a page, or a plugin, has failed to render a part. */
  #isIncomplete = false;
  #exported = 0;
  #kept = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    for (const [file, { url, kind }] of options.before?.outputs ?? []) {
      // A copy does not record the page's current access rules.
      if (kind === "page") this.#files.set(url, file);
    }
    for (const path of options.present) this.#seen.add(path);
    if (options.before !== null) this.#readLastLinks(options.before);
  }

  #readLastLinks({ linked, broken }: Manifest): void {
    for (const [url, from] of Object.entries(linked)) this.#addLastLinks(url, from);
    for (const [key, from] of Object.entries(broken)) this.#addLastLinks(encodePath(key), from);
  }

  #addLastLinks(target: string, from: readonly string[]): void {
    for (const url of from) {
      this.#lastLinks.set(url, [...(this.#lastLinks.get(url) ?? []), target]);
    }
  }

  get rendered(): number {
    return this.#exported;
  }
  get kept(): number {
    return this.#kept;
  }
  /** Jobs that no worker has taken yet. */
  get waiting(): number {
    return this.#jobs.length;
  }

  /** True when the export contains a file at this path, or a copy at its URL. */
  has(file: string, url: string): boolean {
    return this.outputs.has(file) || this.#options.present.has(pageKey(url));
  }

  /** Adds an address to the export: reuses its last file, or requests it. */
  want(job: ExportJob, isLinked = false): void {
    const key = job.url.includes("?") ? job.url : pageKey(job.url);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (isLinked) this.#linked.add(job.url);
    const last = this.#last(job.url);
    const { freshness } = this.#options;
    if (last !== null && freshness.isFresh(last.file, last.output)) {
      return this.#keep(last.file, last.output);
    }
    const isThere = last !== null && freshness.isOnDisk(last.file, last.output);
    this.#jobs.push(isThere ? { ...job, known: last.output.hash } : job);
  }

  /** The file of the last export for an address. */
  #last(url: string): { file: string; output: Output } | null {
    const file = this.#files.get(url);
    const output = file === undefined ? undefined : this.#options.before?.outputs.get(file);
    return file === undefined || output === undefined ? null : { file, output };
  }

  /** Follows the stored links of unchanged pages; call it after all other addresses were added. */
  followKept(): void {
    for (let from = this.#unfollowed.pop(); from !== undefined; from = this.#unfollowed.pop()) {
      for (const target of this.#lastLinks.get(from) ?? []) this.follow(target, from);
    }
  }

  /** URLs of files that only links lead to, with some of the pages that link to them. */
  linked(): Record<string, string[]> {
    const urls = [...this.outputs.values()].map(({ url }) => url);
    const linked = urls.filter((url) => this.#linked.has(url) && !url.includes("?"));
    return Object.fromEntries(linked.map((url) => [url, this.links.sources(pageKey(url))]));
  }

  /** Processes all queued addresses, on all workers. */
  async work(workers: readonly ExportWorker[]): Promise<void> {
    const busy = new Set<Promise<void>>();
    const idle = workers.flatMap((worker) => Array.from({ length: worker.capacity }, () => worker));
    const failure: { error: unknown }[] = [];
    while ((this.#jobs.length > 0 || busy.size > 0) && failure.length === 0) {
      const worker = this.#jobs.length > 0 ? idle.pop() : undefined;
      if (worker === undefined) {
        await Promise.race(busy);
        continue;
      }
      const turn = this.#turn(worker)
        .catch((error: unknown) => void failure.push({ error }))
        .finally(() => {
          busy.delete(turn);
          idle.push(worker);
        });
      busy.add(turn);
    }
    await Promise.all(busy);
    if (failure[0] !== undefined) throw failure[0].error;
    // A plugin that fails often is switched off, so no error says which pages lack its part: the next export
    // makes them all again.
    if (this.#isIncomplete) for (const output of this.#made) output.reads = null;
  }

  async #turn(worker: ExportWorker): Promise<void> {
    const jobs = this.#jobs.splice(0, BATCH);
    const hashes = new Map(jobs.map(({ url, known: hash }) => [url, hash]));
    for (const outcome of await worker.export(jobs)) this.#take(outcome, hashes.get(outcome.url));
    this.followKept();
    this.#options.onProgress(this.#exported, this.#exported + this.#jobs.length);
  }

  #keep(file: string, output: Output): void {
    this.#kept += 1;
    this.outputs.set(file, output);
    this.#unfollowed.push(output.url);
    for (const variant of output.variants) this.want({ url: variant }, true);
  }

  #take(outcome: ExportOutcome, formerHash: string | undefined): void {
    this.#exported += 1;
    const { url, kind } = outcome;
    for (const { page, message } of outcome.problems ?? []) {
      this.failures.push({ url: page, message });
      this.#isIncomplete = true;
    }
    if (kind === "written") this.#add(outcome, formerHash);
    else if (kind === "failed") {
      this.failures.push({ url, message: outcome.message ?? "" });
      this.#keepOld(url);
    } else if (kind === "redirect") this.#redirect(outcome);
    else this.links.missing(pageKey(url));
  }

  #add(outcome: ExportOutcome, formerHash: string | undefined): void {
    const { url, file = "", links = [], staged } = outcome;
    const other = this.outputs.get(file);
    if (other !== undefined) {
      const message = `${file} is made from ${other.url} too; give one of them another slug`;
      this.failures.push({ url, message });
      return;
    }
    const before = formerHash === undefined ? undefined : this.#options.before?.outputs.get(file);
    const output = toOutput(outcome, before);
    if (this.#options.isUntracked(url)) output.reads = null;
    this.#made.push(output);
    this.outputs.set(file, output);
    if (staged !== undefined) this.moves.push([staged, file]);
    for (const variant of output.variants) this.want({ url: variant }, true);
    for (const target of links) this.follow(target, url);
  }

  /** Records a link and adds its target to the export. */
  follow(target: string, from: string): void {
    this.links.note(pageKey(target), from);
    this.#wantTarget(target);
  }

  /** Redirects of this site that lead to nothing in the export, such as a page that was deleted; sorted. */
  deadRedirects(): DeadRedirect[] {
    return [...this.redirects.values()]
      .filter(({ to }) => isOnSite(to) && this.links.isMissing(pageKey(to)))
      .map(({ from, to }) => ({ from: pageKey(from), to: pageKey(to) }))
      .toSorted((a, b) => (a.from < b.from ? -1 : 1));
  }

  #wantTarget(target: string): void {
    this.want({ url: target.length > 1 ? target.replace(/(?<!\/)\/+$/, "") : target }, true);
  }

  /** No page of the export links to its target, so a missing one is no broken link. */
  #redirect({ url, location = "/", status = 301 }: ExportOutcome): void {
    this.redirects.set(url, { from: url, to: location, status });
    if (isOnSite(location)) this.#wantTarget(location.split(/[?#]/, 1)[0] ?? "/");
  }

  /** Keeps the last files of a failed page. */
  #keepOld(url: string): void {
    const last = this.#last(url);
    if (last === null) return;
    this.outputs.set(last.file, { ...last.output, reads: null });
    this.#unfollowed.push(url);
  }
}

function isOnSite(location: string): boolean {
  return /^\/(?!\/)/.test(location);
}

/** `before`: the file with the same bytes, which is not written again. */
function toOutput(outcome: ExportOutcome, before: Output | undefined): Output {
  const { url, hash = "", size = 0, reads = null, expiresAt = null } = outcome;
  const { variants = [], inline = [] } = outcome;
  const mtimeMs = outcome.mtimeMs ?? before?.mtimeMs ?? 0;
  return {
    url,
    kind: "page",
    hash,
    size,
    mtimeMs,
    reads,
    expiresAt,
    variants,
    inline,
  };
}

const MAX_SOURCES = 5;

/** Records which pages link to which targets, as far as needed to report broken links. */
class LinkSources {
  readonly #sources = new Map<string, Set<string>>();
  readonly #missing = new Set<string>();

  /** `target`: as returned by `pageKey`. */
  note(target: string, from: string): void {
    const sources = this.#sources.get(target) ?? new Set();
    if (sources.size < MAX_SOURCES) this.#sources.set(target, sources.add(from));
  }

  /** Some of the pages that link to it, sorted. */
  sources(target: string): string[] {
    return [...(this.#sources.get(target) ?? [])].sort();
  }

  /** Marks a target as missing from the export. */
  missing(target: string): void {
    this.#missing.add(target);
  }

  isMissing(target: string): boolean {
    return this.#missing.has(target);
  }

  /** Missing targets that have links, sorted. */
  broken(): BrokenLink[] {
    return [...this.#missing].sort().flatMap((target) => {
      const from = this.#sources.get(target);
      return from === undefined ? [] : [{ target, from: [...from].sort() }];
    });
  }
}

/**
 * Follows links of unchanged pages to files that this export would remove. The site then decides:
 * it still serves the target, or the link is broken. The pages are read only when a file would be
 * removed, so the manifest need not list every link.
 */
export async function followLostLinks(
  run: ExportRun,
  before: Manifest | null,
  out: string,
  siteAddress: BaseAddress,
): Promise<void> {
  const lost = lostKeys(before, run);
  if (lost.size === 0) return;
  const rewriter = new PageRewriter(siteAddress);
  const outputs = [...run.outputs];
  for (const [file, output] of outputs) {
    // The links of pages rendered in this run were already followed.
    if (before?.outputs.get(file) !== output || !file.endsWith(".html")) continue;
    const html = await readFile(join(out, file), "utf8");
    for (const target of rewriter.rewrite(html, output.url).links) {
      if (lost.has(pageKey(target))) run.follow(target, output.url);
    }
  }
}

/** Addresses that only the last export has. Variants follow from their pages. */
function lostKeys(before: Manifest | null, run: ExportRun): Set<string> {
  const lost = new Set<string>();
  for (const [file, { url, kind }] of before?.outputs ?? []) {
    const isAddress = kind === "page" || kind === "media";
    if (isAddress && !url.includes("?") && !run.has(file, url)) lost.add(pageKey(url));
  }
  return lost;
}
