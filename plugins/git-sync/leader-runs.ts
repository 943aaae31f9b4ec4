/** Runs in one process: of several workers, the leader uses the repository, and the others follow its state. */
import { z } from "zod";
import type { SiteContext } from "#kernel";
import type { Conflicts } from "./conflicts.js";
import type { CommitReason } from "../history/contract.js";
import type { SyncLoop } from "./sync-loop.js";

const NOW = "git-sync.now";
const SOON = "git-sync.soon";
const COMMIT = "git-sync.commit";
const RAN = "git-sync.ran";

const stateShape = z.object({
  syncedAt: z.number().nullable(),
  failingSince: z.number().nullable(),
  lastError: z.string().nullable(),
  lock: z.string().nullable(),
  unpushed: z.number(),
});
/** The state after a run; times as Unix ms. */
export type SyncState = z.output<typeof stateShape>;

const commitShape = z.object({
  files: z.array(z.string()),
  message: z.string(),
  author: z.object({ name: z.string(), email: z.string() }).nullable(),
});

/** Dependencies of the leader's runs. */
export interface LeaderRunsOptions {
  readonly site: SiteContext;
  readonly loop: SyncLoop;
  readonly conflicts: Conflicts;
  /** Commits that the remote lacks, as of the last run of this process. */
  unpushed(): number;
}

/** The runs of a site, whichever of its workers is asked. */
export class LeaderRuns {
  readonly #options: LeaderRunsOptions;
  #followed: SyncState | null = null;

  constructor(options: LeaderRunsOptions) {
    this.#options = options;
    const { site, loop, conflicts } = options;
    const { workers } = site.runtime;
    workers.handle(NOW, () => loop.now());
    workers.handle(SOON, () => loop.soon());
    workers.handle(COMMIT, (input) => {
      const { files, ...text } = commitShape.parse(input);
      return site.use("history").commit(files, text);
    });
    workers.handle(RAN, async (input) => {
      this.#followed = stateShape.parse(input);
      await conflicts.load();
    });
  }

  /** The state after the last run. */
  get state(): SyncState {
    const { site, loop, unpushed } = this.#options;
    if (!site.runtime.workers.isLeader && this.#followed !== null) return this.#followed;
    const { syncedAt, failingSince, lastError, lock } = loop;
    return { syncedAt, failingSince, lastError, lock, unpushed: unpushed() };
  }

  /** Runs now and then; call it when the site listens. */
  start(): void {
    const { site, loop } = this.#options;
    site.runtime.workers.whenLeader(() => void loop.now());
  }

  /** Runs at once; resolves after the run. */
  async now(): Promise<void> {
    await this.#ask(NOW);
  }

  /** Runs soon after a save. */
  soon(): void {
    void this.#ask(SOON);
  }

  /** Commits files, absolute paths, that were written. */
  commit(files: readonly string[], reason: CommitReason): void {
    void this.#ask(COMMIT, { files, ...reason });
  }

  /** The other workers follow: after a run, and when a conflict was resolved. */
  async tellOthers(): Promise<void> {
    const { site } = this.#options;
    // A worker that is still starting does not answer; it is notified after the next run.
    await site.runtime.workers.askOthers(RAN, this.state).catch((error: unknown) => {
      site.log.warn("git_sync.workers_silent", { error: String(error) });
    });
  }

  /** While no worker leads, the next leader runs when it starts to. */
  async #ask(name: string, input: unknown = null): Promise<void> {
    const { site } = this.#options;
    await site.runtime.workers.ask("leader", name, input).catch((error: unknown) => {
      site.log.warn("git_sync.leader_silent", { error: String(error) });
    });
  }
}
