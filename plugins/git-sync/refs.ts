/** The branch here, the branch of the remote, and the commit that both had last. */
import { SiteError } from "#kernel";
import type { Remote } from "./remote.js";
import type { Workspace } from "./workspace.js";

/** Fetching and pushing may move much data, in ms. */
const TRANSFER_MS = 15 * 60_000;
const NETWORK_MS = 60_000;

/** The references of one repository. */
export class Refs {
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
