import type { ExportFailure } from "./contract.js";
import type { Freshness } from "./freshness.js";
import type { Lane } from "./export-lanes.js";
import { LinkBook } from "./link-book.js";
import type { Manifest, Output, Redirect } from "./manifest.js";
import type { ExportJob, ExportOutcome } from "./page-exporter.js";
import { pageKey } from "./page-key.js";
import { encodePath } from "./site-urls.js";

/** Jobs that go to a lane at once. */
const BATCH = 24;

/** What a run knows before it begins. */
export interface RunParts {
  before: Manifest | null;
  freshness: Freshness;
  /** Paths that are there without being asked for: media that is copied. */
  present: ReadonlySet<string>;
  /** True for pages whose answers depend on more than their tags say. */
  isUntracked(url: string): boolean;
  onProgress(done: number, total: number): void;
}

/** Asks for what is not known to be up to date, follows links, keeps book of all files. */
export class ExportRun {
  readonly outputs = new Map<string, Output>();
  readonly moves: [staged: string, file: string][] = [];
  readonly redirects = new Map<string, Redirect>();
  readonly failures: ExportFailure[] = [];
  readonly links = new LinkBook();
  readonly #parts: RunParts;
  /** Address to file of the last export. */
  readonly #files = new Map<string, string>();
  readonly #jobs: ExportJob[] = [];
  readonly #linked = new Set<string>();
  readonly #seen = new Set<string>();
  #asked = 0;
  #kept = 0;

  constructor(parts: RunParts) {
    this.#parts = parts;
    for (const [file, { url }] of parts.before?.outputs ?? []) this.#files.set(url, file);
    for (const path of parts.present) this.#seen.add(path);
  }

  get rendered(): number {
    return this.#asked;
  }
  get kept(): number {
    return this.#kept;
  }
  /** Jobs that no lane has taken yet. */
  get waiting(): number {
    return this.#jobs.length;
  }

  /** Takes an address into the export: keeps its file of the last time, or asks for it. */
  want(job: ExportJob, isLinked = false): void {
    const key = job.url.includes("?") ? job.url : pageKey(job.url);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const last = this.#last(job.url);
    const { freshness } = this.#parts;
    if (last !== null && freshness.isFresh(last.file, last.output)) {
      return this.#keep(last.file, last.output);
    }
    if (isLinked) this.#linked.add(job.url);
    const isThere = last !== null && freshness.isOnDisk(last.file, last.output);
    this.#jobs.push(isThere ? { ...job, known: last.output.hash } : job);
  }

  /** The file of the last export that was made from an address. */
  #last(url: string): { file: string; output: Output } | null {
    const file = this.#files.get(url);
    const output = file === undefined ? undefined : this.#parts.before?.outputs.get(file);
    return file === undefined || output === undefined ? null : { file, output };
  }

  /** What the last export found through links, and the links that led nowhere. */
  wantLinked(before: Manifest | null): void {
    for (const output of before?.outputs.values() ?? []) {
      if (output.isLinked && !output.url.includes("?")) this.want({ url: output.url }, true);
    }
    for (const [target, from] of Object.entries(before?.broken ?? {})) {
      // Pages that are made anew say themselves whether they still link to it.
      const kept = from.filter((url) => this.#isKept(url));
      for (const url of kept) this.#follow(encodePath(target), url);
    }
  }

  #isKept(url: string): boolean {
    const file = this.#files.get(url);
    return file !== undefined && this.outputs.has(file);
  }

  /** Works through everything that is wanted, on all lanes. */
  async work(lanes: readonly Lane[]): Promise<void> {
    const busy = new Set<Promise<void>>();
    const idle = lanes.flatMap((lane) => Array.from({ length: lane.capacity }, () => lane));
    const failure: { error: unknown }[] = [];
    while ((this.#jobs.length > 0 || busy.size > 0) && failure.length === 0) {
      const lane = this.#jobs.length > 0 ? idle.pop() : undefined;
      if (lane === undefined) {
        await Promise.race(busy);
        continue;
      }
      const turn = this.#turn(lane)
        .catch((error: unknown) => void failure.push({ error }))
        .finally(() => {
          busy.delete(turn);
          idle.push(lane);
        });
      busy.add(turn);
    }
    await Promise.all(busy);
    if (failure[0] !== undefined) throw failure[0].error;
  }

  async #turn(lane: Lane): Promise<void> {
    const jobs = this.#jobs.splice(0, BATCH);
    const known = new Map(jobs.map(({ url, known: hash }) => [url, hash]));
    for (const outcome of await lane.export(jobs)) this.#take(outcome, known.get(outcome.url));
    this.#parts.onProgress(this.#asked, this.#asked + this.#jobs.length);
  }

  #keep(file: string, output: Output): void {
    this.#kept += 1;
    this.outputs.set(file, output);
    for (const variant of output.variants) this.want({ url: variant }, true);
  }

  #take(outcome: ExportOutcome, known: string | undefined): void {
    this.#asked += 1;
    const { url, kind } = outcome;
    for (const { page, message } of outcome.problems ?? []) {
      this.failures.push({ url: page, message });
    }
    if (kind === "written") this.#add(outcome, known);
    else if (kind === "failed") {
      this.failures.push({ url, message: outcome.message ?? "" });
      this.#keepOld(url);
    } else if (kind === "redirect") this.#redirect(outcome);
    else this.links.missing(pageKey(url));
  }

  #add(outcome: ExportOutcome, known: string | undefined): void {
    const { url, file = "", links = [], staged } = outcome;
    const other = this.outputs.get(file);
    if (other !== undefined) {
      const message = `${file} is made from ${other.url} too; give one of them another slug`;
      this.failures.push({ url, message });
      return;
    }
    const before = known === undefined ? undefined : this.#parts.before?.outputs.get(file);
    const output = toOutput(outcome, before);
    if (this.#parts.isUntracked(url)) output.reads = null;
    output.isLinked = this.#linked.has(url);
    this.outputs.set(file, output);
    if (staged !== undefined) this.moves.push([staged, file]);
    for (const variant of output.variants) this.want({ url: variant }, true);
    for (const target of links) this.#follow(target, url);
  }

  #follow(target: string, from: string): void {
    this.links.note(pageKey(target), from);
    this.want({ url: target.length > 1 ? target.replace(/\/+$/, "") : target }, true);
  }

  #redirect({ url, location = "/", status = 301 }: ExportOutcome): void {
    this.redirects.set(url, { from: url, to: location, status });
    if (/^\/(?!\/)/.test(location)) this.#follow(location.split(/[?#]/, 1)[0] ?? "/", url);
  }

  /** What a failed page showed the last time stays. */
  #keepOld(url: string): void {
    const last = this.#last(url);
    if (last !== null) this.outputs.set(last.file, { ...last.output, reads: null });
  }
}

/** `before`: the file that had the same bytes, and is not written again. */
function toOutput(outcome: ExportOutcome, before: Output | undefined): Output {
  const { url, hash = "", size = 0, reads = null, expiresAt = null } = outcome;
  const { variants = [], inline = [] } = outcome;
  const mtimeMs = outcome.mtimeMs ?? before?.mtimeMs ?? 0;
  const isLinked = false;
  return {
    ...{ url, kind: "page", hash, size, mtimeMs, reads, expiresAt },
    variants,
    inline,
    isLinked,
  };
}
