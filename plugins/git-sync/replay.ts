/** Puts the commits of this site on top of the remote's, in the object store only. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "#kernel";
import { mergeTexts } from "#lib/text";

/** The commits of a replay. */
export interface ReplayTask {
  /** The newest commit of this site. */
  readonly head: string;
  /** Commits that are known to the remote, or replayed already. */
  readonly known: readonly string[];
  /** The commit to continue from. */
  readonly onto: string;
  /** Paths with conflicts, mapped to the last commit here that changed them. */
  readonly aside: ReadonlyMap<string, string>;
}
/** The result: `tip` contains what could be merged. */
export interface Replayed {
  readonly head: string;
  readonly tip: string;
  readonly aside: ReadonlyMap<string, string>;
}
/** The repository of a replay, and its committer. */
export interface ReplayRepository {
  readonly git: Git;
  /** Absolute path of the `.git` folder. */
  readonly folder: string;
  readonly committer: { readonly name: string; readonly email: string };
}

/** Replays the commits one by one, each with its author; empty ones are left out. */
export async function replay(repository: ReplayRepository, task: ReplayTask): Promise<Replayed> {
  const { git } = repository;
  const { head, known, onto, aside } = task;
  if (known.includes(head)) return { head, tip: onto, aside };
  const commits = await listCommits(git, head, known);
  const [first] = commits;
  if (first === undefined) return { head, tip: onto, aside };
  if ((await findParent(git, first)) === onto && aside.size === 0)
    return { head, tip: head, aside };
  const index = join(repository.folder, "site-sync-index");
  await rm(index, { force: true });
  const run = new Replay(repository, index, onto, aside);
  await run.start();
  for (const commit of commits) await run.add(commit);
  await rm(index, { force: true });
  return { head, tip: run.tip, aside: run.aside };
}

/** Oldest first; a merge counts as one commit with everything that it brought. */
async function listCommits(git: Git, head: string, known: readonly string[]): Promise<string[]> {
  const not = known.map((commit) => `^${commit}`);
  const listed = await git.run(["rev-list", "--first-parent", "--reverse", head, ...not]);
  return listed.split("\n").filter((line) => line !== "");
}

async function findParent(git: Git, commit: string): Promise<string | null> {
  const parent = await git.read(["rev-parse", "-q", "--verify", `${commit}^1`], { codes: [1] });
  return parent.toString().trim() || null;
}

class Replay {
  readonly #repository: ReplayRepository;
  readonly #index: string;
  readonly aside: Map<string, string>;
  tip: string;
  #files = new Map<string, TreeEntry>();

  constructor(
    repository: ReplayRepository,
    index: string,
    tip: string,
    aside: ReadonlyMap<string, string>,
  ) {
    this.#repository = repository;
    this.#index = index;
    this.tip = tip;
    this.aside = new Map(aside);
  }

  async start(): Promise<void> {
    this.#files = await listEntries(this.#repository.git, this.tip);
    await this.#inIndex(["read-tree", this.tip]);
  }

  async add(commit: string): Promise<void> {
    const { git } = this.#repository;
    const parent = (await findParent(git, commit)) ?? (await emptyTree(git));
    const lines: string[] = [];
    for (const change of await changesBetween(git, parent, commit)) {
      const entry = await this.#entryAfter(change, commit);
      if (entry === undefined) continue;
      const { path } = change;
      if (entry === null) this.#files.delete(path);
      else this.#files.set(path, entry);
      lines.push(`${entry ?? `0 ${"0".repeat(commit.length)}`}\t${path}\0`);
    }
    if (lines.length === 0) return;
    await this.#inIndex(["update-index", "-z", "--index-info"], lines.join(""));
    const tree = (await this.#inIndex(["write-tree"])).trim();
    this.tip = await this.#commit(tree, commit);
  }

  /** The new entry of a path; null deletes it, undefined leaves it as it is. */
  async #entryAfter(change: TreeChange, commit: string): Promise<TreeEntry | null | undefined> {
    const { path, before, after } = change;
    const current = this.#files.get(path) ?? null;
    if (this.aside.has(path)) this.aside.set(path, commit);
    if (this.aside.has(path) || current === after) return undefined;
    if (current === before && (current !== null || this.#hasRoomFor(path))) return after;
    const merged = await mergeEntries(this.#repository.git, current, change);
    if (merged === null) this.aside.set(path, commit);
    return merged ?? undefined;
  }

  /** False when the path, or a folder of it, is a folder or a file on the other side. */
  #hasRoomFor(path: string): boolean {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      if (this.#files.has(path.slice(0, at))) return false;
    }
    for (const other of this.#files.keys()) if (other.startsWith(`${path}/`)) return false;
    return true;
  }

  async #commit(tree: string, of: string): Promise<string> {
    const { git, committer } = this.#repository;
    const format = "--format=%an%x00%ae%x00%ad%x00%B";
    const said = await git.run(["log", "-1", "--date=raw", format, of]);
    const [name = "", email = "", date = "", ...message] = said.split("\0");
    const id = await git.read(["commit-tree", tree, "-p", this.tip, "-F", "-"], {
      input: message.join("").trimEnd(),
      env: {
        GIT_AUTHOR_NAME: name || committer.name,
        GIT_AUTHOR_EMAIL: email || committer.email,
        GIT_COMMITTER_NAME: committer.name,
        GIT_COMMITTER_EMAIL: committer.email,
        GIT_AUTHOR_DATE: date,
      },
    });
    return id.toString().trim();
  }

  async #inIndex(args: readonly string[], input = ""): Promise<string> {
    const env = { GIT_INDEX_FILE: this.#index };
    return (await this.#repository.git.read(args, { input, env })).toString();
  }
}

async function emptyTree(git: Git): Promise<string> {
  return (await git.run(["hash-object", "-t", "tree", "-w", "--stdin"])).trim();
}

/** The bytes of a path in a commit; null: it did not exist. */
export async function readBytes(git: Git, commit: string, path: string): Promise<Buffer | null> {
  const entry = (await git.run(["ls-tree", "-z", "--full-tree", commit, "--", path])).split(
    "\t",
  )[0];
  const [mode = "", , id = ""] = (entry ?? "").split(" ");
  return /^(?:100|120)/.test(mode) ? git.read(["cat-file", "blob", id]) : null;
}

/** Author and time of a commit. */
export async function readAuthor(git: Git, commit: string) {
  const said = await git.run(["log", "-1", "--format=%an%x00%ae%x00%at", commit]);
  const [name = "", email = "", at = "0"] = said.trim().split("\0");
  return { author: { name, email }, at: Number(at) * 1000 };
}

/** The merged entry; null when both sides changed the same lines, or the file is not a text. */
async function mergeEntries(
  git: Git,
  current: TreeEntry | null,
  change: TreeChange,
): Promise<TreeEntry | null> {
  const { before, after } = change;
  if (current === null || before === null || after === null) return null;
  if (![current, before, after].every(isFile)) return null;
  const merged = await mergeBlobs(git, [before, current, after]);
  if (merged === null) return null;
  const id = await git.run(["hash-object", "-w", "--stdin"], merged);
  const [mode = "100644"] = after.split(" ");
  return `${mode} ${id.trim()}`;
}

async function mergeBlobs(git: Git, entries: readonly TreeEntry[]): Promise<Buffer | null> {
  const texts: string[] = [];
  for (const entry of entries) {
    const [, blob = ""] = entry.split(" ");
    // Keeps every byte, whatever the encoding.
    texts.push((await git.read(["cat-file", "blob", blob])).toString("latin1"));
  }
  const [base = "", ours = "", theirs = ""] = texts;
  if (texts.some((text) => text.includes("\0"))) return null;
  const { text, conflicts } = mergeTexts({ base, ours, theirs });
  return conflicts === 0 ? Buffer.from(text, "latin1") : null;
}

/** A file of a tree: `100644 <id of its blob>`. */
type TreeEntry = string;
/** A difference between two trees; null: the file does not exist. */
interface TreeChange {
  readonly path: string;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
}

/** Every file of a tree by its path. */
async function listEntries(git: Git, tree: string): Promise<Map<string, TreeEntry>> {
  const listed = await git.run(["ls-tree", "-r", "-z", "--full-tree", tree]);
  return new Map(
    listed.split("\0").flatMap((line): [string, TreeEntry][] => {
      const [, mode, id, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      return path === undefined ? [] : [[path, `${mode} ${id}`]];
    }),
  );
}

/** The files that differ between two trees, without looking for renames. */
export async function changesBetween(git: Git, from: string, to: string): Promise<TreeChange[]> {
  const listed = await git.run(["diff-tree", "-r", "-z", "--no-renames", from, to]);
  const fields = listed.split("\0");
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, oldMode, mode, oldId, id] =
      /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+)/.exec(fields[at] ?? "") ?? [];
    const entry = (one = "0", its = ""): TreeEntry | null =>
      Number(one) === 0 ? null : `${one} ${its}`;
    const [before, after] = [entry(oldMode, oldId), entry(mode, id)];
    changes.push({ path: fields[at + 1] ?? "", before, after });
  }
  return changes;
}

/** True for a file; false for a link or another repository. */
function isFile(entry: TreeEntry): boolean {
  return entry.startsWith("100");
}
