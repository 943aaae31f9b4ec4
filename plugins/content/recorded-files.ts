/** The disk, with a note of everything that was changed on it. */
import type { ChangeFiles } from "./change-files.js";
import type { AppliedChange } from "./contract.js";

/** Passes changes on and remembers them, in order. */
export class RecordedFiles implements ChangeFiles {
  readonly changes: AppliedChange[] = [];
  readonly #files: ChangeFiles;

  constructor(files: ChangeFiles) {
    this.#files = files;
  }

  kind(path: string): ReturnType<ChangeFiles["kind"]> {
    return this.#files.kind(path);
  }

  read(path: string): Promise<Buffer | null> {
    return this.#files.read(path);
  }

  list(folder: string): Promise<string[]> {
    return this.#files.list(folder);
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    const before = await this.#files.read(path);
    await this.#files.write(path, bytes);
    this.changes.push({ op: "write", path, before, after: bytes });
  }

  async remove(path: string): Promise<void> {
    const before = await this.#files.read(path);
    await this.#files.remove(path);
    this.changes.push({ op: "delete", path, before, after: null });
  }

  async move(path: string, to: string): Promise<void> {
    await this.#files.move(path, to);
    this.changes.push({ op: "move", path, to });
  }
}
