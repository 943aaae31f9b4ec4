/** Changes of several files of a site as steps, and what becomes of those that a killed process left open. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { isMainThread } from "node:worker_threads";
import { failureFields, type SiteContext } from "#kernel";
import { FileSteps, namesIn, type RecoveredStep } from "#lib/files";
import type { ContentProblem } from "../contract.js";

/** Asks the leader to recover what a worker that ended has left. */
const RECOVER = "content.recoverSteps";
/** Paths that the log names for each step. */
const MAX_LOGGED = 20;

/**
 * The steps of a site. Moves, restores from the trash, reorderings, batches and imports are undone after a kill,
 * deletions of several files are finished: see `FileSteps`. The process that leads on the root does it, before it
 * reads the content, and for workers that end while it runs.
 */
export class SiteSteps {
  readonly #site: SiteContext;
  readonly #folder: string;
  readonly #steps: FileSteps;
  #blocked: readonly RecoveredStep[] = [];
  /** Why the steps could not be looked at; null when they were. */
  #failure: string | null = null;

  constructor(site: SiteContext) {
    const { paths } = site;
    this.#site = site;
    this.#folder = join(paths.runtime, "steps");
    this.#steps = new FileSteps({ folder: this.#folder, root: paths.root, top: paths.content });
  }

  /** See `ContentService.asStep`. */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#steps.run(name, work);
  }

  /** Before the content is read. Workers that do not lead ask the leader. */
  async recoverAtStart(): Promise<void> {
    const { runtime, engines } = this.#site;
    const { workers } = runtime;
    // The threads of an export share its root.
    if (!isMainThread || (await namesIn(this.#folder)).length === 0) return;
    if (!workers.isLeader && !workers.isFirst) {
      await workers.ask("leader", RECOVER).catch((error: unknown) => this.#failed(error));
      return;
    }
    const lock = engines.slot("writeLock").active;
    await lock.run(() => this.#recover()).catch((error: unknown) => this.#failed(error));
  }

  /**
   * Recovers for the other workers while this process leads. `update` runs work that changes files, and re-reads the
   * paths below `content/` that it returns.
   */
  follow(update: (work: () => Promise<readonly string[]>) => Promise<void>): void {
    const { workers } = this.#site.runtime;
    if (workers.id === 0) return;
    const recover = async (): Promise<void> => {
      if ((await namesIn(this.#folder)).length > 0) await update(() => this.#recover());
    };
    workers.handle(RECOVER, recover);
    if (workers.isLeader) return;
    workers.whenLeader(() => void recover().catch((error: unknown) => this.#failed(error)));
  }

  /** The files because of which steps stay open. */
  problems(): readonly ContentProblem[] {
    const { root } = this.#site.paths;
    return this.#open().flatMap(({ name, paths, journal }) => {
      const folder = relative(root, journal);
      const message = `the change ${JSON.stringify(name)} of several files was interrupted and cannot be undone: this file has changed since`;
      const fix = `compare the files with the former versions in ${folder}, then delete that folder and restart`;
      const named = paths.length === 0 ? [folder] : paths;
      return named.map(
        (sourcePath) =>
          ({ sourcePath, severity: "error", code: "ERR_CONTENT_STEP", message, fix }) as const,
      );
    });
  }

  /** The health message; null without open steps. The problems of the content have the paths. */
  health(): string | null {
    if (this.#failure !== null) {
      return `interrupted changes of several files could not be looked at (${this.#failure}); restart when the disk and the write lock work`;
    }
    const { length } = this.#open();
    if (length === 0) return null;
    const what = length === 1 ? "change" : "changes";
    return `${length} interrupted ${what} of several files cannot be undone, because files have changed since: see the problems ERR_CONTENT_STEP of the content`;
  }

  #open(): readonly RecoveredStep[] {
    return this.#blocked.filter(({ journal }) => existsSync(journal));
  }

  /** Resolves with the changed paths below the content folder. */
  async #recover(): Promise<readonly string[]> {
    const { log, paths } = this.#site;
    const recovered = await this.#steps.recover();
    this.#blocked = recovered.filter(({ outcome }) => outcome === "blocked");
    this.#failure = null;
    for (const { name, outcome, paths: all, journal } of recovered) {
      const fields = { step: name, paths: all.slice(0, MAX_LOGGED), count: all.length };
      const folder = relative(paths.root, journal);
      if (outcome !== "blocked") log.info(`content.step_${outcome}`, fields);
      else log.error("content.step_blocked", { ...fields, folder, fix: this.problems()[0]?.fix });
    }
    const content = `${relative(paths.root, paths.content)}/`;
    const changed = recovered.flatMap((step) => (step.outcome === "blocked" ? [] : step.paths));
    return changed.flatMap((path) =>
      path.startsWith(content) ? [path.slice(content.length)] : [],
    );
  }

  #failed(error: unknown): void {
    const fields = failureFields(error);
    this.#failure = fields.code ?? "the disk or the write lock fails";
    this.#site.log.error("content.steps_failed", fields);
  }
}
