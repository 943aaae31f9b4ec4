/** The disk, recording all changes made to it. */
import type { Change } from "#kernel";
import type { ChangeFiles } from "../write/change-files.js";
import type { FileState } from "../contract.js";
import { foldersAbove } from "../write/own-writes.js";

/** A file as passed to listeners of the change feed. */
class File implements FileState {
  #bytes: Buffer | null;

  constructor(bytes: Buffer | null) {
    this.#bytes = bytes;
  }

  get bytes(): Buffer | null {
    return this.#bytes;
  }

  release(): void {
    this.#bytes = null;
  }
}

/** Passes changes on and records them, in order. */
export class RecordedFiles implements ChangeFiles {
  readonly changes: Change<"file">[] = [];
  /** Folders that a change created or removed. */
  readonly folders = new Set<string>();
  readonly #files: ChangeFiles;
  readonly #states: File[] = [];

  constructor(files: ChangeFiles) {
    this.#files = files;
  }

  kind(path: string): ReturnType<ChangeFiles["kind"]> {
    return this.#files.kind(path);
  }

  twin(path: string): Promise<string | null> {
    return this.#files.twin(path);
  }

  read(path: string): Promise<Buffer | null> {
    return this.#files.read(path);
  }

  list(folder: string): Promise<string[]> {
    return this.#files.list(folder);
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    const [before, missing] = [await this.#files.read(path), await this.#missingAbove(path)];
    await this.#files.write(path, bytes);
    for (const folder of missing) this.folders.add(folder);
    const op = before === null ? "create" : "update";
    const after = this.#state(bytes);
    this.changes.push({ kind: "file", key: path, op, before: this.#known(before), after });
  }

  async remove(path: string): Promise<void> {
    const before = await this.#files.read(path);
    await this.#files.remove(path);
    for (const folder of await this.#missingAbove(path)) this.folders.add(folder);
    const change = { kind: "file", key: path, op: "delete", after: null } as const;
    this.changes.push({ ...change, before: this.#known(before) });
  }

  async move(path: string, to: string): Promise<void> {
    const missing = await this.#missingAbove(to);
    await this.#files.move(path, to);
    for (const folder of [...missing, ...(await this.#missingAbove(path))]) {
      this.folders.add(folder);
    }
    const [before, after] = [this.#state(null), this.#state(null)];
    this.changes.push({ kind: "file", key: path, op: "move", to, before, after });
  }

  /** Frees the bytes, so that the contents of written files do not pile up in memory. */
  release(): void {
    for (const state of this.#states.splice(0)) state.release();
  }

  async #missingAbove(path: string): Promise<string[]> {
    const missing: string[] = [];
    for (const folder of foldersAbove(path)) {
      if ((await this.#files.kind(folder)) !== "none") break;
      missing.push(folder);
    }
    return missing;
  }

  #known(bytes: Buffer | null): File | null {
    return bytes === null ? null : this.#state(bytes);
  }

  #state(bytes: Buffer | null): File {
    const state = new File(bytes);
    this.#states.push(state);
    return state;
  }
}
