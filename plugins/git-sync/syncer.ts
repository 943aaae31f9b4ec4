/** One run: fetch, put the commits of this site on top, update the files, push. */
import { SiteError, type Logger } from "#kernel";
import { Refs } from "./refs.js";
import { FoundWork, type Turn } from "./found-work.js";
import { bytesAt, authorOf, replay, type Replayed } from "./replay.js";
import type { Conflicts } from "./conflicts.js";
import type { HistoryService } from "../history/contract.js";
import type { Remote } from "./remote.js";
import { changesBetween } from "./tree-entries.js";
import type { Workspace } from "./workspace.js";

/** Attempts while others write or push at the same time. */
const ATTEMPTS = 5;

/** What a run needs. */
export interface SyncerParts {
  readonly workspace: Workspace;
  readonly remote: Remote;
  readonly branch: string;
  readonly committer: { readonly name: string; readonly email: string };
  readonly isPushing: boolean;
  readonly conflicts: Conflicts;
  readonly log: Logger;
  /** Why the remote must not be called now; null when it may. */
  refusal(): Promise<string | null>;
  history(): HistoryService;
}

/** The runs of one repository. Never two at a time. */
export class Syncer {
  readonly #parts: SyncerParts;
  readonly #refs: Refs;
  readonly #found: FoundWork;

  constructor(parts: SyncerParts) {
    this.#parts = parts;
    this.#refs = new Refs(parts.workspace, parts.remote, parts.branch);
    this.#found = new FoundWork(parts.workspace, parts.history);
  }

  /** True before the first commit is there. */
  async isUnborn(): Promise<boolean> {
    return (await this.#refs.tips()).head === null;
  }

  /**
   * True when commits were pushed, so that others should fetch.
   * @throws ERR_GIT_SYNC_BRANCH when another branch is checked out, ERR_GIT_SYNC_FETCH for a remote that
   * must not be called.
   */
  async run(turn: Turn): Promise<boolean> {
    const refused = await this.#parts.refusal();
    if (refused !== null) {
      throw new SiteError("ERR_GIT_SYNC_FETCH", `git_sync.remote must not be called: ${refused}`, {
        fix: "it was set through the admin API: use a public address, or set it in system.yaml",
      });
    }
    await this.#parts.workspace.assertBranch();
    return this.#parts.workspace.marked(async () => {
      for (let attempt = 1; ; attempt += 1) {
        const theirs = await this.#refs.fetch();
        if (theirs !== null) await this.#integrate(theirs, turn);
        else await this.#found.commit(turn);
        if (!this.#parts.isPushing) return false;
        const pushed = await this.#refs.push(theirs);
        if (pushed !== "rejected" || attempt === ATTEMPTS) return pushed === "done";
      }
    });
  }

  /** Commits that the remote does not have. */
  async unpushed(): Promise<number> {
    await this.#parts.history().settled();
    return this.#refs.unpushed();
  }

  async #integrate(theirs: string, turn: Turn): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      await this.#found.commit(turn);
      const plan = await this.#plan(theirs, null);
      const reasons: Error[] = [];
      await turn(() =>
        this.#parts.history().exclusively(async () => {
          // Saves since then have been committed; only they are replayed now.
          const final = await this.#plan(theirs, plan);
          if (final !== null) await this.#storeConflicts(final);
          try {
            return await this.#moveTo(final?.tip ?? theirs, { head: final?.head ?? null, theirs });
          } catch (error) {
            // Files have changed since they were committed.
            reasons.push(error instanceof Error ? error : new Error(String(error)));
            return [];
          }
        }),
      );
      const [reason] = reasons;
      if (reason === undefined) return;
      if (attempt === ATTEMPTS) throw reason;
    }
  }

  /** Continues an earlier plan. Null: this site has no commit yet. */
  async #plan(theirs: string, earlier: Replayed | null): Promise<Replayed | null> {
    const { workspace, committer } = this.#parts;
    const { head, base } = await this.#refs.tips();
    if (head === null) return null;
    const parts = { git: workspace.tools.git, folder: await workspace.folder(), committer };
    if (earlier !== null) {
      const { head: done, tip, aside } = earlier;
      return replay(parts, { head, known: [done], onto: tip, aside });
    }
    const known = [theirs, ...(base === null ? [] : [base])];
    return replay(parts, { head, known, onto: theirs, aside: new Map() });
  }

  /** Before anything moves: a run that is killed later loses neither text. */
  async #storeConflicts({ head, tip, aside }: Replayed): Promise<void> {
    const { workspace, conflicts, log } = this.#parts;
    const { git } = workspace.tools;
    for (const [path, commit] of aside) {
      const [ours, theirs] = [await bytesAt(git, head, path), await bytesAt(git, tip, path)];
      const isSame = ours === null ? theirs === null : theirs?.equals(ours) === true;
      if (isSame) continue;
      await conflicts.add({ path, ours, ...(await authorOf(git, commit)) });
      log.warn("git_sync.conflict", { path });
    }
  }

  /** Moves branch, index and files from `head` to a commit; the changed paths. */
  async #moveTo(
    tip: string,
    { head, theirs }: { head: string | null; theirs: string },
  ): Promise<readonly string[]> {
    const { git } = this.#parts.workspace.tools;
    if (tip === head) {
      await this.#refs.moveTo(tip, head, theirs);
      return [];
    }
    await git.read(["update-index", "-q", "--refresh"], { codes: [1] });
    // Stops before it changes anything when a file differs from the commit.
    await git.run(["read-tree", "-m", "-u", ...(head === null ? [] : [head]), tip]);
    await this.#refs.moveTo(tip, head, theirs);
    const from = head ?? (await git.run(["hash-object", "-t", "tree", "-w", "--stdin"])).trim();
    return (await changesBetween(git, from, tip)).map(({ path }) => path);
  }
}
