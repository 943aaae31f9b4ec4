/** Records what was written: versions of pages, and commits. */
import { isDeepStrictEqual } from "node:util";
import { KeyedLock, SiteError, type Clock, type Logger } from "#kernel";
import { lineChanges } from "#lib/text";
import type {
  ApplyOptions,
  ContentChangeResult,
  ContentService,
  PageEntry,
} from "../content/contract.js";
import type { GitCommits } from "./git-commits.js";
import type {
  CommitReason,
  DiffLine,
  GitStatus,
  HistoryService,
  Revision,
  RevisionInfo,
} from "./contract.js";
import type { Save, SavedChange } from "./save-journal.js";
import type { NewRevision, RevisionLog } from "./revision-log.js";

/** Dependencies of the history. */
export interface HistoryOptions {
  content: ContentService;
  log: RevisionLog;
  clock: Clock;
  logger: Logger;
  git(): GitStatus;
  /** Null while nothing is committed. */
  commits(): Pick<GitCommits, "add" | "exclusively" | "settled"> | null;
}

/** Options of recording a save. */
export interface RecordOptions {
  /** A crashed process may have recorded a part of the save. */
  readonly isAgain: boolean;
}

/** The text of a page that changed on disk. */
export interface FoundText {
  readonly sourcePath: string;
  readonly content: string;
}

const WRITING = "history";

/** The history of pages. Saving does not wait for it. */
export class History implements HistoryService {
  readonly #options: HistoryOptions;
  readonly #lock = new KeyedLock();

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  /** Records a save in the background; resolves when that has finished or failed. */
  applied(save: Save, options: RecordOptions = { isAgain: false }): Promise<void> {
    return this.#inOrder(async () => {
      for (const change of save.changes) await this.#keep(change, save, options);
    });
  }

  /** Runs `work` after everything recorded so far. */
  after(work: () => Promise<void>): void {
    void this.#inOrder(work);
  }

  /** Records a page that changed on disk. */
  found({ sourcePath, content }: FoundText): void {
    const createdAt = this.#options.clock.now();
    const revision = { sourcePath, kind: "found", createdAt, actor: null, message: "" } as const;
    void this.#inOrder(() => this.#options.log.add({ ...revision, content }));
  }

  /** Resolves when the versions of all changes so far are stored. */
  async recorded(): Promise<void> {
    await this.#lock.run(WRITING, () => undefined);
  }

  async list(sourcePath: string): Promise<readonly RevisionInfo[]> {
    const path = below(sourcePath);
    const infos: RevisionInfo[] = [];
    for (const n of await this.#options.log.numbers(path)) {
      const revision = await this.#options.log.read(path, n);
      if (revision === null) continue;
      const { content: _, ...info } = revision;
      infos.push(info);
    }
    return infos;
  }

  get(sourcePath: string, n: number): Promise<Revision | null> {
    return this.#options.log.read(below(sourcePath), n);
  }

  async diff(sourcePath: string, n: number, to?: number): Promise<readonly DiffLine[]> {
    const before = await this.#require(sourcePath, n);
    const after =
      to === undefined
        ? ((await this.#options.content.source(below(sourcePath)))?.raw ?? "")
        : (await this.#require(sourcePath, to)).content;
    return diffLines(before.content, after);
  }

  async restore(
    sourcePath: string,
    n: number,
    { ifHash, ...options }: ApplyOptions & { ifHash?: string } = {},
  ): Promise<ContentChangeResult> {
    const { content } = await this.#require(sourcePath, n);
    const path = below(sourcePath);
    const message = options.message ?? `restore version ${n} of ${path}`;
    const { content: tree } = this.#options;
    const entry = tree.generation().bySource.get(path);
    // Elsewhere the key means what the site says.
    const accountsOwnPages = typeof options.rights?.owner === "string";
    const isDeleted = entry === undefined && tree.brokenPage(path) === null;
    const change = {
      op: "write",
      path,
      content,
      ...(entry !== undefined && accountsOwnPages && this.#ownersPatch(entry, content)),
      ...(isDeleted && { isRestored: true }),
      ...(ifHash !== undefined && { ifHash }),
    } as const;
    const [result] = await this.#options.content.apply([change], { ...options, message });
    return result ?? { op: "write", path, status: "skipped", errors: [] };
  }

  /** The page keeps its owners: its former text may name others, or none. */
  #ownersPatch(
    { sourcePath, frontmatter }: PageEntry,
    text: string,
  ): { patch?: Record<string, unknown> } {
    const former = this.#options.content.blueprints.describe(sourcePath, text).frontmatter["owner"];
    const owner = frontmatter["owner"] ?? null;
    return isDeepStrictEqual(former ?? null, owner) ? {} : { patch: { owner } };
  }

  git(): GitStatus {
    return this.#options.git();
  }

  async commit(files: readonly string[], text: CommitReason): Promise<void> {
    const commits = this.#options.commits();
    commits?.add({ ...text, files, exact: null, at: this.#options.clock.now() });
    await commits?.settled();
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#options.commits()?.exclusively(work) ?? work();
  }

  async settled(): Promise<void> {
    await this.recorded();
    await this.#options.commits()?.settled();
  }

  async #require(sourcePath: string, n: number): Promise<Revision> {
    const revision = await this.get(sourcePath, n);
    if (revision !== null) return revision;
    const message = `there is no version ${n} of ${JSON.stringify(sourcePath)}`;
    throw new SiteError("ERR_HISTORY_UNKNOWN", message, {
      status: 404,
      fix: "take a number of its history",
    });
  }

  async #keep(change: SavedChange, save: Save, options: RecordOptions): Promise<void> {
    const { log, content: tree } = this.#options;
    if (change.op === "move") {
      if (!options.isAgain || (await log.has(change.path))) await log.move(change.path, change.to);
    } else if (tree.isPage(change.path)) {
      await this.#keepText(change, save, options);
    }
  }

  async #keepText(change: TextChange, save: Save, { isAgain }: RecordOptions) {
    const { log } = this.#options;
    const { path, before, after } = change;
    const last = after ?? before;
    if (last === null) return;
    if (isAgain && (await log.isRecorded(path, save.at, last))) return;
    if (after === null) {
      await log.add({ ...toRevisionFields(save, path), kind: "deleted", content: last.toString() });
      return;
    }
    // Otherwise a text that was not written through the site would be lost.
    if (before !== null) await log.add(firstFound(path, before, save.at));
    await log.add({ ...toRevisionFields(save, path), kind: "saved", content: after.toString() });
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    return this.#lock.run(WRITING, work).catch((error: unknown) => {
      this.#options.logger.error("history.failed", { error: String(error) });
    });
  }
}

type TextChange = Exclude<SavedChange, { op: "move" }>;

function toRevisionFields({ actor, message, at }: Save, sourcePath: string) {
  return { sourcePath, createdAt: at, actor, message: message ?? "" };
}

function firstFound(sourcePath: string, before: Buffer, createdAt: number): NewRevision {
  return {
    sourcePath,
    kind: "found",
    createdAt,
    actor: null,
    message: "",
    content: before.toString(),
  };
}

function below(sourcePath: string): string {
  return sourcePath.replace(/^content\//, "");
}

/** The line diff of two texts. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  let [oldLine, newLine] = [0, 0];
  return lineChanges(old, now).flatMap(({ value, added, removed }) =>
    value.map((text): DiffLine => {
      if (removed) return { kind: "removed", text, oldLine: ++oldLine, newLine: null };
      if (added) return { kind: "added", text, oldLine: null, newLine: ++newLine };
      return { kind: "same", text, oldLine: ++oldLine, newLine: ++newLine };
    }),
  );
}

function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
