/** Records saves in one process: of several workers, the leader writes versions and commits. */
import { join } from "node:path";
import { z } from "zod";
import type { SiteContext, ChangeBatch } from "#kernel";
import type { PageEntry } from "../content/contract.js";
import type { GitCommits, SavedFiles, SavedStep } from "./git-commits.js";
import type { PendingSave, Save, SaveJournal, SavedChange } from "./save-journal.js";
import type { History, RecordOptions } from "./service.js";

const foundShape = z.object({ sourcePath: z.string(), content: z.string() });

/** The targets of the recorder. */
export interface RecorderTargets {
  readonly history: History;
  readonly journal: SaveJournal;
  /** Null while nothing is committed. */
  commits(): GitCommits | null;
}

/** Takes the saves of this process, and as the leader those of all workers. */
export class Recorder {
  readonly #site: SiteContext;
  readonly #targets: RecorderTargets;
  /** Saves that are being recorded. */
  readonly #taken = new Set<string>();

  constructor(site: SiteContext, targets: RecorderTargets) {
    this.#site = site;
    this.#targets = targets;
  }

  /** Finishes what an earlier leader left. */
  async start(): Promise<void> {
    const { workers } = this.#site.runtime;
    const { history, journal } = this.#targets;
    workers.handle("history.save", async (name) => {
      const pending = await journal.read(String(name));
      if (pending !== null) await this.#keep(pending, { isAgain: false });
    });
    workers.handle("history.found", (input) => history.found(foundShape.parse(input)));
    if (workers.isFirst) await journal.sweep();
    if (workers.isLeader) return this.#finish();
    workers.whenLeader(() => {
      this.#finish().catch((error: unknown) => this.#warn("history.failed", error));
    });
  }

  /** Resolves when a crash no longer loses the save. */
  async save(save: Save): Promise<void> {
    const { workers } = this.#site.runtime;
    const pending = await this.#write(save);
    if (workers.isLeader) {
      void this.#keep(pending, { isAgain: false });
      return;
    }
    // Without a reply the next leader finds it in the journal.
    await workers.ask("leader", "history.save", pending.name).catch((error: unknown) => {
      this.#warn("history.waits_for_leader", error);
    });
  }

  /** Records a page that changed on disk, unless its file has changed again meanwhile. */
  async found(entry: PageEntry): Promise<void> {
    const content = this.#site.use("content").version(entry)?.raw;
    if (content === undefined) return;
    const text = { sourcePath: entry.sourcePath, content };
    const { workers } = this.#site.runtime;
    if (workers.isLeader) this.#targets.history.found(text);
    else await workers.ask("leader", "history.found", text).catch(() => undefined);
  }

  /** Commits the pages that changed while no process served the site, as they are now; waits for their versions. */
  async missed({ changes, at }: ChangeBatch): Promise<void> {
    const paths = changes.flatMap(({ kind, key }) => (kind === "page" ? [key] : []));
    const [only = "", ...others] = paths;
    if (paths.length === 0) return;
    this.#targets.commits()?.add({
      files: paths.map((path) => join(this.#site.paths.content, path)),
      exact: null,
      at,
      message: `change ${others.length === 0 ? only : `${paths.length} pages`} while the site was stopped`,
      author: null,
    });
    // Their texts must not all be in memory at once.
    await this.#targets.history.recorded();
  }

  #write(save: Save): Promise<PendingSave> {
    return new Promise((resolve, reject) => {
      this.#targets.journal.add(save, resolve).catch(reject);
    });
  }

  async #finish(): Promise<void> {
    const left = await this.#targets.journal.left();
    const [oldest] = left;
    this.#targets.commits()?.recover(oldest?.save.at ?? null);
    for (const pending of left) void this.#keep(pending, { isAgain: true });
  }

  /** Resolves when the versions are recorded. */
  async #keep(pending: PendingSave, options: RecordOptions): Promise<void> {
    const { name, save, finish } = pending;
    if (this.#taken.has(name)) return;
    this.#taken.add(name);
    const { history } = this.#targets;
    const commits = this.#targets.commits();
    const recorded = history.applied(save, options);
    const finished = async (): Promise<void> => {
      await recorded;
      await finish().catch((error: unknown) => this.#warn("history.journal_failed", error));
      this.#taken.delete(name);
    };
    if (commits === null) history.after(finished);
    else commits.add(toCommit(this.#site, save), finished);
    await recorded;
  }

  #warn(event: string, error: unknown): void {
    this.#site.log.warn(event, { error: String(error) });
  }
}

/** The changes written through the site; null without any. */
export function toSave({ changes, actor, message, at }: ChangeBatch): Save | null {
  const saved = changes.flatMap((change): SavedChange[] => {
    if (change.kind !== "file") return [];
    const { key: path, op, to, before, after } = change;
    if (op === "move") return to === undefined ? [] : [{ op, path, to }];
    const kind = op === "delete" ? "delete" : "write";
    return [{ op: kind, path, before: before?.bytes ?? null, after: after?.bytes ?? null }];
  });
  return saved.length === 0 ? null : { changes: saved, actor, message: message || null, at };
}

/** New or changed pages that were not written through the site. */
export function foundPages({ changes, actor }: ChangeBatch): PageEntry[] {
  if (actor !== null) return [];
  const written = new Set(changes.flatMap(({ kind, key }) => (kind === "file" ? [key] : [])));
  return changes.flatMap((change) => {
    if (change.kind !== "page" || change.after === null || written.has(change.key)) return [];
    return change.before?.hash === change.after.hash ? [] : [change.after];
  });
}

/** The commit of a save. */
function toCommit(site: SiteContext, { changes, actor, message, at }: Save): SavedFiles {
  const paths = changes.flatMap((change) =>
    change.op === "move" ? [change.path, change.to] : [change.path],
  );
  return {
    files: paths.map((path) => join(site.paths.content, path)),
    exact: savedSteps(site, changes),
    at,
    message: message ?? summary(changes),
    author: actor,
  };
}

/** The steps of these changes, in order, independent of later saves. */
function savedSteps(site: SiteContext, changes: readonly SavedChange[]): SavedStep[] {
  const at = (path: string): string => join(site.paths.content, path);
  return changes.map((change) =>
    change.op === "move"
      ? { from: at(change.path), to: at(change.to) }
      : { path: at(change.path), bytes: change.after },
  );
}

function summary([first, ...rest]: readonly SavedChange[]): string {
  if (first === undefined) return "change pages";
  const verb = first.op === "move" ? "move" : describe(first);
  return `${verb} ${first.path}${rest.length > 0 ? ` and ${rest.length} more` : ""}`;
}

function describe({ before, after }: Exclude<SavedChange, { op: "move" }>): string {
  if (after === null) return "delete";
  return before === null ? "create" : "update";
}
