/** One run: fetch, put the commits of this site on top, update the files, push. */
import { join } from "node:path";
import { SiteError, type Logger } from "#kernel";
import type { HistoryService } from "../history/contract.js";
import { readBytes, readAuthor, replay, type Replayed, changesBetween } from "./replay.js";
import type { Conflicts } from "./conflicts.js";
import type { Remote } from "./remote.js";
import type { Workspace } from "./workspace.js";

/** Attempts while others write or push at the same time. */
const ATTEMPTS = 5;

/** Dependencies of a run. */
export interface SyncerOptions {
  readonly workspace: Workspace;
  readonly remote: Remote;
  readonly branch: string;
  readonly committer: { readonly name: string; readonly email: string };
  readonly isPushing: boolean;
  readonly conflicts: Conflicts;
  readonly log: Logger;
  /** The reason why the remote must not be called now; null when it may. */
  refusal(): Promise<string | null>;
  history(): HistoryService;
}

/** The runs of one repository. Never two at a time. */
export class Syncer {
  readonly #options: SyncerOptions;
  readonly #refs: Refs;
  readonly #found: FoundWork;

  constructor(options: SyncerOptions) {
    this.#options = options;
    this.#refs = new Refs(options.workspace, options.remote, options.branch);
    this.#found = new FoundWork(options.workspace, options.history);
  }

  /** True before the first commit is there. */
  async isUnborn(): Promise<boolean> {
    return (await this.#refs.tips()).head === null;
  }

  /**
   * True when commits were pushed, so that others should fetch. A run that fails is repeated once when it was
   * blocked by a lock that no process holds.
   * @throws ERR_GIT_SYNC_BRANCH when another branch is checked out, ERR_GIT_SYNC_FETCH for a remote that
   * must not be called.
   */
  async run(turn: Turn): Promise<boolean> {
    const refused = await this.#options.refusal();
    if (refused !== null) {
      throw new SiteError("ERR_GIT_SYNC_FETCH", `git_sync.remote must not be called: ${refused}`, {
        fix: "it was set through the admin API: use a public address, or set it in system.yaml",
      });
    }
    await this.#options.workspace.assertBranch();
    try {
      return await this.#runOnce(turn);
    } catch (error) {
      if (await this.#options.workspace.removeLocks()) return this.#runOnce(turn);
      throw error;
    }
  }

  #runOnce(turn: Turn): Promise<boolean> {
    return this.#options.workspace.marked(async () => {
      for (let attempt = 1; ; attempt += 1) {
        const theirs = await this.#refs.fetch();
        if (theirs !== null) await this.#integrate(theirs, turn);
        else await this.#found.commit(turn);
        if (!this.#options.isPushing) return false;
        const pushed = await this.#refs.push(theirs);
        if (pushed !== "rejected" || attempt === ATTEMPTS) return pushed === "done";
      }
    });
  }

  /** The lock file that blocks git, from the site root; null: none. */
  lock(): Promise<string | null> {
    return this.#options.workspace.lock();
  }

  /** Commits that the remote does not have. */
  async unpushed(): Promise<number> {
    await this.#options.history().settled();
    return this.#refs.unpushed();
  }

  async #integrate(theirs: string, turn: Turn): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      await this.#found.commit(turn);
      const plan = await this.#plan(theirs, null);
      const reasons: Error[] = [];
      await turn(() =>
        this.#options.history().exclusively(async () => {
          // Saves since then have been committed; only they are replayed now.
          const final = await this.#plan(theirs, plan);
          if (final !== null) await this.#storeConflicts(final);
          try {
            return await this.#moveTo(final?.tip ?? theirs, final?.head ?? null, theirs);
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
    const { workspace, committer } = this.#options;
    const { head, base } = await this.#refs.tips();
    if (head === null) return null;
    const repository = { git: workspace.tools.git, folder: await workspace.folder(), committer };
    if (earlier !== null) {
      const { head: done, tip, aside } = earlier;
      return replay(repository, { head, known: [done], onto: tip, aside });
    }
    const known = [theirs, ...(base === null ? [] : [base])];
    return replay(repository, { head, known, onto: theirs, aside: new Map() });
  }

  /** Before anything moves: a run that is killed later loses neither text. */
  async #storeConflicts({ head, tip, aside }: Replayed): Promise<void> {
    const { workspace, conflicts, log } = this.#options;
    const { git } = workspace.tools;
    for (const [path, commit] of aside) {
      const [ours, theirs] = [await readBytes(git, head, path), await readBytes(git, tip, path)];
      const isSame = ours === null ? theirs === null : theirs?.equals(ours) === true;
      if (isSame) continue;
      await conflicts.add({ path, ours, ...(await readAuthor(git, commit)) });
      log.warn("git_sync.conflict", { path });
    }
  }

  /** Moves branch, index and files from `head` to a commit; the changed paths. */
  async #moveTo(tip: string, head: string | null, theirs: string): Promise<readonly string[]> {
    const { git } = this.#options.workspace.tools;
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

/** Runs work that changes files and returns their paths in the repository, while no page is written. */
export type Turn = (work: () => Promise<readonly string[]>) => Promise<void>;
/** Above this, the whole scope is committed instead of single files. */
const MAX_FILES = 500;

/** Finds changes that no commit contains yet. */
class FoundWork {
  readonly #workspace: Workspace;
  readonly #history: () => HistoryService;

  constructor(workspace: Workspace, history: () => HistoryService) {
    this.#workspace = workspace;
    this.#history = history;
  }

  /** Commits it, so that merging never meets work that only the disk has. */
  async commit(turn: Turn): Promise<void> {
    await this.#history().settled();
    const before = await this.#changed();
    if (before.length === 0) return;
    // A save may have written its file, but not queued its commit, which names its author.
    await turn(() => Promise.resolve([]));
    await this.#history().settled();
    const now = new Set(await this.#changed());
    const paths = before.filter((path) => now.has(path));
    if (paths.length === 0) return;
    const { root, scope } = this.#workspace;
    const shown = paths.length > MAX_FILES ? scope : paths;
    const message = `change ${paths.length === 1 ? paths[0] : `${paths.length} files`} on the disk`;
    await this.#history().commit(
      shown.map((path) => join(root, path)),
      { message, author: null },
    );
  }

  async #changed(): Promise<string[]> {
    const { tools, scope } = this.#workspace;
    const options = ["--porcelain", "-z", "--untracked-files=all", "--no-renames"];
    const args = ["status", ...options, "--ignore-submodules=all", "--", ...scope];
    const listed = await tools.git.run(args);
    return listed.split("\0").flatMap((line) => (line.length > 3 ? [line.slice(3)] : []));
  }
}

/** Fetching and pushing may move much data, in ms. */
const TRANSFER_MS = 15 * 60_000;
const NETWORK_MS = 60_000;

/** The branch here, the branch of the remote, and the commit that both had last. */
class Refs {
  readonly #workspace: Workspace;
  readonly #url: string;
  readonly #branch: string;

  constructor(workspace: Workspace, remote: Remote, branch: string) {
    this.#workspace = workspace;
    this.#url = remote.url;
    this.#branch = branch;
  }

  /** The newest commit of the branch here, and the one that the remote had when both were last in step; null: none. */
  async tips(): Promise<{ head: string | null; base: string | null }> {
    const [head, base] = [`refs/heads/${this.#branch}`, this.#baseName];
    const args = ["for-each-ref", "--format=%(refname) %(objectname)", head, base];
    const lines = (await this.#git.run(args)).split("\n").map((line) => line.split(" "));
    const commits = new Map(lines.map(([name = "", commit = ""]) => [name, commit]));
    return { head: commits.get(head) ?? null, base: commits.get(base) ?? null };
  }

  /**
   * Fetches the branch; its commit, or null when the remote has no commits at all.
   * @throws ERR_GIT_SYNC_FETCH when it has others, but not this branch.
   */
  async fetch(): Promise<string | null> {
    const [git, fetched] = [this.#git, `refs/remotes/git-sync/${this.#branch}`];
    const options = ["--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"];
    const spec = `+refs/heads/${this.#branch}:${fetched}`;
    try {
      await git.read(["fetch", ...options, "--", this.#url, spec], { timeoutMs: TRANSFER_MS });
      return await this.#commit(fetched);
    } catch (error) {
      if (!/couldn't find remote ref/.test(String(error))) throw error;
      const list = ["ls-remote", "--heads", "--", this.#url];
      const heads = await git.read(list, { timeoutMs: NETWORK_MS });
      if (heads.length === 0 && (await this.tips()).base === null) return null;
      const message = `the remote has no branch ${JSON.stringify(this.#branch)}`;
      throw new SiteError("ERR_GIT_SYNC_FETCH", message, {
        fix: "create it there, or correct git_sync.branch in system.yaml",
      });
    }
  }

  /** `rejected`: the remote has commits that were not fetched yet. */
  async push(theirs: string | null): Promise<"done" | "rejected" | "nothing"> {
    const { head } = await this.tips();
    if (head === null || head === theirs) return "nothing";
    const spec = `${head}:refs/heads/${this.#branch}`;
    const options = ["--porcelain", "--no-verify", "--no-signed", "--recurse-submodules=no"];
    const answer = await this.#git.read(["push", ...options, "--", this.#url, spec], {
      timeoutMs: TRANSFER_MS,
      codes: [1],
    });
    const line =
      answer
        .toString()
        .split("\n")
        .find((text) => text.includes(`${head}:`)) ?? "";
    if (/^!.*\[rejected\]/.test(line)) return "rejected";
    if (line === "" || line.startsWith("!")) throw new Error("the remote did not accept the push");
    await this.#git.run(["update-ref", this.#baseName, head]);
    return "done";
  }

  /** Moves the branch, and notes the commit of the remote, together. `from`: where it must be. */
  async moveTo(tip: string, from: string | null, theirs: string): Promise<void> {
    const old = from ?? "0".repeat(tip.length);
    const lines = [`update HEAD ${tip} ${old}`, `update ${this.#baseName} ${theirs}`, ""];
    await this.#git.run(["update-ref", "-m", "site: sync", "--stdin"], lines.join("\n"));
  }

  async unpushed(): Promise<number> {
    const { head, base } = await this.tips();
    if (head === null || head === base) return 0;
    const not = base === null ? [] : [`^${base}`];
    return Number(await this.#git.run(["rev-list", "--count", "--first-parent", head, ...not]));
  }

  get #git() {
    return this.#workspace.tools.git;
  }

  get #baseName(): string {
    return `refs/site/sync/${this.#branch}`;
  }

  async #commit(name: string): Promise<string | null> {
    const args = ["rev-parse", "-q", "--verify", `${name}^{commit}`];
    return (await this.#git.read(args, { codes: [1] })).toString().trim() || null;
  }
}
