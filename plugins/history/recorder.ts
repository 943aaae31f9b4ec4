/** Records saves in one process: of several workers, the leader writes versions and commits. */
import { z } from "zod";
import type { SiteContext } from "#kernel";
import type { PageEntry } from "../content/contract.js";
import type { GitCommits } from "./git-commits.js";
import type { PendingSave, Save, SaveJournal } from "./save-journal.js";
import { toCommit } from "./saved-files.js";
import type { History } from "./service.js";

const foundShape = z.object({ sourcePath: z.string(), content: z.string() });

/** What the recorder writes to. */
export interface RecorderParts {
  readonly history: History;
  readonly journal: SaveJournal;
  /** Null while nothing is committed. */
  commits(): GitCommits | null;
}

/** Takes the saves of this process, and as the leader those of all workers. */
export class Recorder {
  readonly #site: SiteContext;
  readonly #parts: RecorderParts;
  /** Saves that are being recorded. */
  readonly #taken = new Set<string>();

  constructor(site: SiteContext, parts: RecorderParts) {
    this.#site = site;
    this.#parts = parts;
  }

  /** Finishes what an earlier leader left. */
  async start(): Promise<void> {
    const { workers } = this.#site.runtime;
    const { history, journal } = this.#parts;
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
    if (workers.isLeader) this.#parts.history.found(text);
    else await workers.ask("leader", "history.found", text).catch(() => undefined);
  }

  #write(save: Save): Promise<PendingSave> {
    return new Promise((resolve, reject) => {
      this.#parts.journal.add(save, resolve).catch(reject);
    });
  }

  async #finish(): Promise<void> {
    const left = await this.#parts.journal.left();
    const [oldest] = left;
    if (oldest !== undefined) this.#parts.commits()?.recover(oldest.save.at);
    for (const pending of left) void this.#keep(pending, { isAgain: true });
  }

  /** Resolves when the versions are recorded. */
  async #keep(pending: PendingSave, options: { isAgain: boolean }): Promise<void> {
    const { name, save, finish } = pending;
    if (this.#taken.has(name)) return;
    this.#taken.add(name);
    const { history } = this.#parts;
    const commits = this.#parts.commits();
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
