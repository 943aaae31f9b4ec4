import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";
import { HttpError, type SiteContext } from "#kernel";
import type { ApplyOptions, ContentChange } from "../../content/contract.js";
import { written } from "../write/save-page.js";
import { TrashRecords, type NewTrash, type TrashEntry } from "./trash-records.js";

/** The most files that one deletion may have. */
const MAX_FILES = 5_000;

/** What is deleted; `ifHash`: only this version of the page. */
export type Deletion = Omit<NewTrash, "by"> & { readonly ifHash?: string | undefined };

/** Deletes files of the content folder so that they can be restored. */
export class Trash {
  readonly #site: SiteContext;
  readonly #records: TrashRecords;
  readonly #isKept: boolean;

  constructor(site: SiteContext) {
    const { paths, settings, runtime, engines } = site;
    const days = settings.admin.trash_days;
    this.#site = site;
    this.#isKept = days > 0;
    this.#records = new TrashRecords({
      content: paths.content,
      days,
      clock: runtime.clock,
      store: () => engines.slot("records").active,
    });
  }

  list(): Promise<TrashEntry[]> {
    return this.#records.list();
  }

  /** @throws HttpError 404. */
  async get(id: string): Promise<TrashEntry> {
    const entry = await this.#records.get(id);
    if (entry === null) throw new HttpError(404, "the trash has no such entry");
    return entry;
  }

  /**
   * Deletes files through the write path, copies in the trash first. Null: the trash is off.
   * @throws HttpError of the first file that cannot be deleted; nothing is deleted then.
   */
  async delete(
    { ifHash, ...deletion }: Deletion,
    options: ApplyOptions & { actor: NonNullable<ApplyOptions["actor"]> },
  ): Promise<TrashEntry | null> {
    const content = this.#site.use("content");
    const changes = deletion.paths.map((path): ContentChange => {
      const isOwn = path === deletion.path && ifHash !== undefined;
      return { op: "delete", path, ...(isOwn && { ifHash }) };
    });
    for (const result of await content.apply(changes, { ...options, dryRun: true })) {
      written(result);
    }
    const { id, name } = options.actor;
    const entry = this.#isKept ? await this.#records.put({ ...deletion, by: { id, name } }) : null;
    const kept = new Map(entry?.files.map(({ path, hash }) => [path, hash]));
    const exact = changes.map((change): ContentChange => {
      const hash = kept.get(change.path);
      // What changed since it was copied is not deleted.
      return hash === undefined ? change : { op: "delete", path: change.path, ifHash: hash };
    });
    const results = await content.apply(exact, options);
    const failed = results.find(({ status }) => status === "error");
    if (failed === undefined) return entry;
    const isNothing = results.every(({ status }) => status === "error");
    if (entry !== null && isNothing) await this.#records.remove(entry.id);
    written(failed);
    return entry;
  }

  /**
   * Writes the files back.
   * @throws HttpError 404, 409 when a file exists, and what the write path rejects.
   */
  async restore(id: string, options: ApplyOptions): Promise<TrashEntry> {
    const content = this.#site.use("content");
    const entry = await this.get(id);
    const texts = await this.#records.read(entry);
    const changes = entry.files.map(({ path }, at): ContentChange => {
      const content = texts[at] ?? Buffer.alloc(0);
      return { op: "write", path, content, isNew: true, mayBeBroken: true };
    });
    // Page types may have changed since.
    const lenient = { ...options, validate: false };
    for (const result of await content.apply(changes, { ...lenient, dryRun: true })) {
      if (result.code !== "ERR_CONTENT_EXISTS") written(result);
      else throw new HttpError(409, `file ${JSON.stringify(result.path)} exists; move it first`);
    }
    for (const result of await content.apply(changes, lenient)) written(result);
    await this.#records.remove(id);
    return entry;
  }

  /** Deletes entries for good. */
  async purge(entries: readonly TrashEntry[]): Promise<void> {
    for (const { id } of entries) await this.#records.remove(id);
  }

  /** Every file of a folder below the content folder. @throws HttpError 413. */
  async filesIn(folder: string): Promise<string[]> {
    const root = join(this.#site.paths.content, folder);
    const items = await readdir(root, { recursive: true, withFileTypes: true });
    const paths = items
      .filter((item) => item.isFile())
      .map((item) => posix.join(folder, join(item.parentPath, item.name).slice(root.length + 1)))
      .filter((path) => !path.split("/").some((name) => name.startsWith(".")));
    if (paths.length <= MAX_FILES) return paths.toSorted();
    throw new HttpError(413, `the folder has ${paths.length} files; delete its parts first`);
  }
}
