/** Changes of several files of a site as steps, and what becomes of those that a killed process left open. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { isMainThread } from "node:worker_threads";
import { failureFields, type SiteContext } from "#kernel";
import { type AbandonedStep, FileSteps, type RecoveredStep } from "#lib/files";
import { defaultNodeName } from "#lib/stores";
import type { ContentProblem } from "../contract.js";

/** The journals, in the content folder: who shares it, can end the steps of the others. */
const FOLDER = ".steps";
/** Asks the leader to recover what a worker that ended has left. */
const RECOVER = "content.recoverSteps";
/** Interval in which the leader looks for steps of processes that have ended, in ms. */
const LOOK_MS = 1_000;
/** Paths that the log names for each step. */
const MAX_LOGGED = 20;

/** Runs work that changes files, and re-reads the paths below `content/` that it returns. */
type Update = (work: () => Promise<readonly string[]>) => Promise<void>;

/**
 * The steps of a site. Moves, restores from the trash, reorderings, batches and imports are undone after a kill,
 * deletions of several files are finished: see `FileSteps`. The process that leads does it: before it reads the
 * content, and while it runs for workers, commands and nodes that end.
 */
export class SiteSteps {
  readonly #site: SiteContext;
  readonly #update: Update;
  readonly #steps: FileSteps;
  /** Steps of versions that had their journals in the runtime folder. */
  readonly #older: FileSteps;
  #blocked: readonly RecoveredStep[] = [];
  /** Why the steps could not be looked at; null when they were. */
  #failure: string | null = null;
  #looking: Promise<void> | null = null;

  constructor(site: SiteContext, update: Update) {
    const { paths } = site;
    this.#site = site;
    this.#update = update;
    const origin = defaultNodeName(paths.root);
    const options = { root: paths.root, top: paths.content, origin };
    this.#steps = new FileSteps({ ...options, folder: join(paths.content, FOLDER) });
    this.#older = new FileSteps({ ...options, folder: join(paths.runtime, "steps") });
  }

  /** See `ContentService.asStep`. */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#steps.run(name, work);
  }

  /** Before the content is read. Workers that do not lead ask the leader. */
  async recoverAtStart(): Promise<void> {
    const { workers } = this.#site.runtime;
    // The threads of an export share its root.
    if (!isMainThread || !(await this.#areOpen())) return;
    if (workers.isLeader || workers.isFirst) {
      const lock = this.#site.engines.slot("writeLock").active;
      await this.#recoverIn((work) => lock.run(work).then(() => undefined));
      return;
    }
    await workers.ask("leader", RECOVER).catch((error: unknown) => this.#failed(error));
  }

  async #areOpen(): Promise<boolean> {
    return (await this.#steps.areOpen()) || this.#older.areOpen();
  }

  /** Recovers for workers that start. Call it when the content is read. */
  answerWorkers(): void {
    this.#site.runtime.workers.handle(RECOVER, () => this.#recoverIn(this.#update));
  }

  /** Recovers for the other processes while this one serves and leads. */
  follow(): void {
    const { lifecycle, engines } = this.#site;
    const leader = engines.slot("leader");
    const look = async (): Promise<void> => {
      if (!(await this.#areOpen())) this.#failure = null;
      else if (await leader.active.claim()) await this.#recoverIn(this.#update);
    };
    let timer: NodeJS.Timeout | undefined;
    lifecycle.onListen(() => {
      timer = setInterval(() => {
        this.#looking ??= look()
          .catch((error: unknown) => this.#failed(error))
          .finally(() => (this.#looking = null));
      }, LOOK_MS).unref();
    });
    lifecycle.onClose(async () => {
      clearInterval(timer);
      await this.#looking;
    });
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

  /** Waits for signs of life before it takes the lock of `update`. */
  async #recoverIn(update: Update): Promise<void> {
    try {
      const blocked = new Set(this.#open().map(({ journal }) => journal));
      for (const steps of [this.#older, this.#steps]) {
        const abandoned = await steps.takeOver(blocked);
        if (abandoned.length === 0) continue;
        await update(() => this.#recover(steps, abandoned)).finally(() => {
          for (const { lock } of abandoned) lock.release();
        });
      }
      this.#failure = null;
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Resolves with the changed paths below the content folder. */
  async #recover(
    steps: FileSteps,
    abandoned: readonly AbandonedStep[],
  ): Promise<readonly string[]> {
    const { log, paths } = this.#site;
    const recovered = await steps.recover(abandoned);
    this.#blocked = [...this.#open(), ...recovered.filter(({ outcome }) => outcome === "blocked")];
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
    const reason = fields.code ?? "the disk or the write lock fails";
    if (reason !== this.#failure) this.#site.log.error("content.steps_failed", fields);
    this.#failure = reason;
  }
}
