/** The files that changes work on: those on disk, or the virtual ones of a dry run. */
import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { readFile, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { atomicWrite, type Change } from "#kernel";
import { type FileChange, makeFolder, syncFolder } from "#lib/files";
import { errorCode } from "../read/read-source.js";
import { foldersAbove, joinPath, sameName } from "../read/source-name.js";
import type { FileState } from "../contract.js";

/** The file operations that changes need. Paths are validated and below the content folder. */
export interface ChangeFiles {
  kind(path: string): Promise<"file" | "folder" | "none">;
  /** The file or folder that has the name of a missing path in another Unicode form; null without one. */
  twin(path: string): Promise<string | null>;
  read(path: string): Promise<Buffer | null>;
  write(path: string, bytes: Buffer): Promise<void>;
  remove(path: string): Promise<void>;
  move(path: string, to: string): Promise<void>;
  /** Every file below a folder. */
  list(folder: string): Promise<string[]>;
}

/** Files up to this size are read synchronously, in bytes. */
const SMALL_BYTES = 256 * 1024;

/**
 * The disk. Names, kinds and small files are read synchronously, as by the index: a change looks at thirty of them while
 * other changes wait for it, and on a busy machine each promise is a wait for a thread.
 */
export class DiskFiles implements ChangeFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async kind(path: string): Promise<"file" | "folder" | "none"> {
    const stats = this.#stats(path);
    if (stats === null) return "none";
    return stats.isDirectory() ? "folder" : "file";
  }

  #stats(path: string): Stats | null {
    try {
      return lstatSync(join(this.#root, path));
    } catch (error) {
      return noneWhenMissing(error);
    }
  }

  async twin(path: string): Promise<string | null> {
    let folder = "";
    for (const name of path.split("/")) {
      const at = joinPath(folder, name);
      if ((await this.kind(at)) === "none") {
        const sibling = this.#namesIn(folder).find((one) => sameName(one, name));
        return sibling === undefined ? null : joinPath(folder, sibling);
      }
      folder = at;
    }
    return null;
  }

  #namesIn(folder: string): readonly string[] {
    try {
      return readdirSync(join(this.#root, folder));
    } catch (error) {
      return noneWhenMissing(error) ?? [];
    }
  }

  async read(path: string): Promise<Buffer | null> {
    const stats = this.#stats(path);
    if (stats === null) return null;
    try {
      const file = join(this.#root, path);
      return stats.size <= SMALL_BYTES && stats.isFile()
        ? readFileSync(file)
        : await readFile(file);
    } catch (error) {
      return noneWhenMissing(error);
    }
  }

  write(path: string, bytes: Buffer): Promise<void> {
    return atomicWrite(join(this.#root, path), bytes, { access: "shared" });
  }

  /** Removes the file and the parent folders that become empty. */
  async remove(path: string): Promise<void> {
    await rm(join(this.#root, path));
    await syncFolder(dirname(join(this.#root, path)));
    await this.#removeEmpty(dirname(path));
  }

  async #removeEmpty(folder: string): Promise<void> {
    for (let at = folder; at !== "."; at = dirname(at)) {
      try {
        await rmdir(join(this.#root, at));
      } catch (error) {
        if (errorCode(error) === "ERROR") throw error;
        return;
      }
    }
  }

  async move(path: string, to: string): Promise<void> {
    const target = join(this.#root, to);
    await makeFolder(dirname(target), "shared");
    await rename(join(this.#root, path), target);
    await syncFolder(dirname(target));
    await this.#removeEmpty(dirname(path));
  }

  async list(folder: string): Promise<string[]> {
    const items = await readdir(join(this.#root, folder), { recursive: true, withFileTypes: true });
    return items
      .filter((item) => !item.isDirectory())
      .map((item) =>
        join(item.parentPath, item.name)
          .slice(this.#root.length + 1)
          .replaceAll("\\", "/"),
      );
  }
}

/** A changed path: its bytes, the file on the disk that was moved there, or null when it is gone. */
type Mark = Buffer | { readonly onDisk: string } | null;

/** An overlay over the disk that records changes without writing them. */
export class DryFiles implements ChangeFiles {
  readonly #disk: DiskFiles;
  readonly #marks = new Map<string, Mark>();
  readonly #changes: FileChange[] = [];

  constructor(disk: DiskFiles) {
    this.#disk = disk;
  }

  async kind(path: string): Promise<"file" | "folder" | "none"> {
    const mark = this.#marks.get(path);
    if (mark !== undefined && mark !== null) return "file";
    // A removed file may have made room for a folder.
    const kind = mark === null ? "none" : await this.#disk.kind(path);
    if (kind === "file") return kind;
    return (await this.list(path)).length > 0 || (kind === "folder" && !this.#isMarkedBelow(path))
      ? "folder"
      : "none";
  }

  #isMarkedBelow(folder: string): boolean {
    return [...this.#marks.keys()].some((path) => path.startsWith(`${folder}/`));
  }

  async list(folder: string): Promise<string[]> {
    const onDisk =
      (await this.#disk.kind(folder)) === "folder" ? await this.#disk.list(folder) : [];
    const below = [...this.#marks].filter(([path]) => path.startsWith(`${folder}/`));
    const gone = new Set(below.filter(([, bytes]) => bytes === null).map(([path]) => path));
    const added = below.filter(([, bytes]) => bytes !== null).map(([path]) => path);
    return [...new Set([...onDisk.filter((path) => !gone.has(path)), ...added])];
  }

  async twin(path: string): Promise<string | null> {
    const marked = [...this.#marks].find(
      ([other, bytes]) => bytes !== null && other !== path && sameName(other, path),
    );
    const twin = marked?.[0] ?? (await this.#disk.twin(path));
    return twin !== null && this.#marks.get(twin) === null ? null : twin;
  }

  async read(path: string): Promise<Buffer | null> {
    const mark = this.#marks.get(path);
    if (mark === undefined) return this.#disk.read(path);
    return mark === null || Buffer.isBuffer(mark) ? mark : this.#disk.read(mark.onDisk);
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    this.#marks.set(path, bytes);
    this.#changes.push({ op: "write", path, bytes });
  }

  async remove(path: string): Promise<void> {
    this.#marks.set(path, null);
    this.#changes.push({ op: "remove", path });
  }

  async move(path: string, to: string): Promise<void> {
    this.#changes.push({ op: "move", path, to });
    const files = (await this.kind(path)) === "file" ? [path] : await this.list(path);
    for (const file of files) {
      // The bytes stay on the disk: media may be large.
      this.#marks.set(to + file.slice(path.length), this.#marks.get(file) ?? { onDisk: file });
      this.#marks.set(file, null);
    }
  }

  /** The changes so far, in order, with absolute paths. */
  changesBelow(root: string): FileChange[] {
    return this.#changes.map((change) => {
      const path = join(root, change.path);
      return change.op === "move"
        ? { ...change, path, to: join(root, change.to) }
        : { ...change, path };
    });
  }
}

function noneWhenMissing(error: unknown): null {
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}

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
