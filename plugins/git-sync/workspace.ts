/** The repository that contains the pages: the content folder itself, or the site root. */
import { existsSync, readdirSync } from "node:fs";
import { appendFile, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join, relative, sep, dirname } from "node:path";
import { childVariables, Git, type Logger, type Paths, type SiteContext, SiteError } from "#kernel";
import { listLocks, removeStaleLocks } from "#lib/git";
import { isSameRemote, type Remote } from "./remote.js";

const FLEX = "flex-objects";
/** Files of editors and operating systems, and the temporary files of this site. */
const IGNORED = [".tmp-*", ".DS_Store", "Thumbs.db", "*~", "*.swp", "*.swx"];

/** Marks a run, in the `.git` folder. */
const MARKER = "site-sync-running";

/** The folder of the repository: the content folder, or the site root when only that is one. */
export function repositoryFolder({ root, content }: Pick<Paths, "root" | "content">): string {
  const isOwn = existsSync(join(content, ".git")) || isEmpty(content);
  return isOwn || !existsSync(join(root, ".git")) ? content : root;
}

/** The properties that a repository must have. */
export interface Expected {
  readonly remote: Remote;
  readonly branch: string;
}

/** The folder that is in step with the remote. */
export class Workspace {
  readonly root: string;
  readonly tools: SafeGit;
  /** Path of the pages in the repository, with a trailing slash; empty: they are its root. */
  readonly prefix: string;
  readonly #siteRoot: string;
  readonly #expected: Expected;
  readonly #log: Logger;
  #folder: string | null = null;

  constructor(site: SiteContext, expected: Expected, signal: AbortSignal) {
    this.root = repositoryFolder(site.paths);
    this.#siteRoot = site.paths.root;
    const below = relative(this.root, site.paths.content).split(sep).join("/");
    this.prefix = below === "" ? "" : `${below}/`;
    this.tools = safeGit(this.root, expected.remote, signal);
    this.#expected = expected;
    this.#log = site.log;
  }

  /** Folders whose files are committed, from the root of the repository. */
  get scope(): readonly string[] {
    return this.prefix === "" ? ["."] : [this.prefix, `${FLEX}/`];
  }

  /** Path below `content/`; null for another file of the repository. */
  toSource(path: string): string | null {
    return path.startsWith(this.prefix) ? path.slice(this.prefix.length) : null;
  }

  /** The file of a record, if it is in this repository. */
  recordFile(key: string): string | null {
    return this.prefix === "" ? null : join(this.root, FLEX, `${key}.yaml`);
  }

  isRecord(path: string): boolean {
    return this.prefix !== "" && path.startsWith(`${FLEX}/`);
  }

  /** Absolute path of the `.git` folder. */
  async folder(): Promise<string> {
    this.#folder ??= (await this.tools.git.run(["rev-parse", "--absolute-git-dir"])).trimEnd();
    return this.#folder;
  }

  /**
   * Creates the repository in an empty folder, or checks the one that exists, and removes what a killed
   * process left behind. @throws ERR_GIT_SYNC_FOLDER, ERR_GIT_SYNC_BRANCH.
   */
  async prepare(): Promise<void> {
    const { git } = this.tools;
    await mkdir(this.root, { recursive: true });
    const hasRepository = existsSync(join(this.root, ".git"));
    if (!hasRepository && !isEmpty(this.root)) throw this.#wrongFolder("is no git repository");
    await this.#removeLocksAtStart();
    const isWhole =
      hasRepository && (await git.run(["rev-parse", "--git-dir"]).catch(() => "")) !== "";
    // Also completes a repository whose creation was interrupted.
    if (!isWhole) await git.run(["init", "--quiet", "--template="]);
    await this.tools.withoutFilters();
    await this.#checkRemote();
    await this.assertBranch();
  }

  /** Removes the locks of processes that have ended; true when there were some. */
  async removeLocks(since?: number): Promise<boolean> {
    const removed = await removeStaleLocks(this.tools.git, since === undefined ? {} : { since });
    const files = removed.map((file) => relative(this.#siteRoot, file));
    if (files.length > 0) this.#log.warn("git_sync.locks_removed", { files });
    return files.length > 0;
  }

  /** The first lock file that is there, from the site root; null: none. */
  async lock(): Promise<string | null> {
    const [lock] = await listLocks(this.tools.git);
    return lock === undefined ? null : relative(this.#siteRoot, lock.file);
  }

  /** Locks since a run began that did not end are its own, and need not be old. */
  async #removeLocksAtStart(): Promise<void> {
    const started = await this.#marker()
      .then((file) => stat(file))
      .catch(() => null);
    await this.removeLocks(started?.mtimeMs);
  }

  /** @throws ERR_GIT_SYNC_BRANCH when another branch is checked out. */
  async assertBranch(): Promise<void> {
    const { branch } = this.#expected;
    const head = await this.tools.git.read(["symbolic-ref", "-q", "HEAD"], { codes: [1] });
    const branchName = head.toString().trim().replace("refs/heads/", "");
    if (branchName === branch) return;
    const what = branchName === "" ? "no branch" : `branch ${JSON.stringify(branchName)}`;
    throw new SiteError(
      "ERR_GIT_SYNC_BRANCH",
      `the repository of the content is on ${what}, git_sync.branch is ${JSON.stringify(branch)}`,
      { fix: `run \`git switch ${branch}\` in it, or correct git_sync.branch in system.yaml` },
    );
  }

  /** Runs work whose interruption the next start notices. */
  async marked<T>(work: () => Promise<T>): Promise<T> {
    const marker = await this.#marker();
    await writeFile(marker, "");
    const result = await work();
    await rm(marker, { force: true });
    return result;
  }

  async #marker(): Promise<string> {
    return join(await this.folder(), MARKER);
  }

  async #checkRemote(): Promise<void> {
    const { git } = this.tools;
    const names = ["config", "--get-regexp", "^(remote\\..*\\.url|site\\.remote)$"];
    const value = (await git.read(names, { codes: [1] })).toString().trim();
    const urls = value.split("\n").flatMap((line) => line.split(" ").slice(1));
    const { url } = this.#expected.remote;
    if (urls.some((one) => isSameRemote(one, url))) return;
    if (urls.length > 0) throw this.#wrongFolder("is a clone of another remote");
    if (!(await this.#isUnborn())) throw this.#wrongFolder("is a repository without this remote");
    await mkdir(join(await this.folder(), "info"), { recursive: true });
    await appendFile(join(await this.folder(), "info", "exclude"), `${IGNORED.join("\n")}\n`);
    await git.run(["symbolic-ref", "HEAD", `refs/heads/${this.#expected.branch}`]);
    await git.run(["config", "site.remote", url]);
  }

  async #isUnborn(): Promise<boolean> {
    const head = ["rev-parse", "-q", "--verify", "HEAD"];
    return (await this.tools.git.read(head, { codes: [1] })).length === 0;
  }

  #wrongFolder(what: string): SiteError {
    const message = `the content folder has files, but it ${what}: git_sync.remote cannot be cloned`;
    return new SiteError("ERR_GIT_SYNC_FOLDER", message, {
      fix: "empty it, or clone the remote into it, or correct git_sync.remote in system.yaml",
    });
  }
}

/** True for a folder that does not exist, too. */
function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

const CONFIG = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.symlinks=false",
  "core.protectHFS=true",
  "core.protectNTFS=true",
  "core.autocrlf=false",
  "protocol.ext.allow=never",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "fetch.fsckObjects=true",
  "fetch.fsck.zeroPaddedFilemode=warn",
  "fetch.fsck.badTimezone=warn",
  "fetch.fsck.missingSpaceBeforeDate=warn",
  // Without these, a remote that sends nothing keeps the connection for ever.
  "http.lowSpeedLimit=100",
  "http.lowSpeedTime=30",
  "gc.autoDetach=false",
  "maintenance.autoDetach=false",
  "commit.gpgSign=false",
  "push.gpgSign=false",
  "core.askPass=",
];
const SSH = "ssh -oBatchMode=yes -oConnectTimeout=15 -oServerAliveInterval=15";
// Variables that point to another repository, and secrets of the site.
const PASSED = /^(?!SITE_|GIT_(?!SSH|SSL|HTTP|PROXY))/;

/** Git in a folder, and a function that switches off the filters of the machine's configuration. */
interface SafeGit {
  readonly git: Git;
  withoutFilters(): Promise<void>;
}

/**
 * Git for a repository whose contents others decide: it runs and follows nothing in it. `signal` ends running
 * commands.
 */
export function safeGit(root: string, remote: Remote, signal: AbortSignal): SafeGit {
  const config = [...CONFIG];
  const env = {
    GIT_SSH_COMMAND: SSH,
    ...childVariables(PASSED),
    GIT_ALLOW_PROTOCOL: "file:http:https:ssh",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
    // A damaged repository must not be taken for the one of a folder above.
    GIT_CEILING_DIRECTORIES: dirname(root),
    ...remote.env,
  };
  const redact = (text: string): string => remote.redact(text).replaceAll(root, ".");
  const git = new Git(root, { config, env, redact, signal });
  return {
    git,
    withoutFilters: async () => {
      const names = await git.read(
        ["config", "--null", "--name-only", "--get-regexp", "^filter\\."],
        {
          codes: [1],
        },
      );
      const filters = new Set(
        names
          .toString()
          .split("\0")
          .flatMap((key) => /^(filter\..+)\.[^.]+$/s.exec(key)?.[1] ?? []),
      );
      for (const filter of filters) {
        for (const part of ["clean=", "smudge=", "process=", "required=false"]) {
          config.push(`${filter}.${part}`);
        }
      }
    },
  };
}
