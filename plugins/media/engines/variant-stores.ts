import { randomBytes } from "node:crypto";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, PRIVATE_FILE } from "#lib/files";
import type { ImageStore, ProcessedImage, StoreKey } from "../contract.js";
import { formatVariantFile, parseVariantFile } from "./variant-file.js";

/** Folder of the store below the cache folder: nothing outside of it is deleted. */
const OWN_FOLDER = "variants";
const TEMPORARY = ".tmp-";
/** Share of the cap that remains after eviction. */
const KEPT_SHARE = 0.9;

/** Options of the store. */
export interface FilesystemStoreOptions {
  /** Absolute path; the store uses a folder of its own below it. */
  readonly cacheDir: string;
  /** Size of all variants together; the least recently used ones are evicted. */
  readonly maxBytes: number;
}

/** The contents of the store. */
interface Index {
  /** Bytes by file, least recently used first. */
  readonly files: Map<string, number>;
  total: number;
}

/**
 * Variants as files `{original}/{variant}`: one line of JSON, then the bytes. Not synced to disk: a
 * file damaged by a power loss does not match its digest and is generated again.
 */
export class FilesystemStore implements ImageStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  #index: Promise<Index> | null = null;

  constructor(options: FilesystemStoreOptions) {
    this.#folder = join(options.cacheDir, OWN_FOLDER);
    this.#maxBytes = options.maxBytes;
  }

  async get(key: StoreKey): Promise<ProcessedImage | null> {
    const file = this.#file(key);
    const content = await readFile(file).catch(() => null);
    if (content === null) return null;
    const image = parseVariantFile(content);
    if (image === null) await this.#drop([file]);
    else touch(await this.#load(), file, content.length);
    return image;
  }

  async put(key: StoreKey, image: ProcessedImage): Promise<void> {
    const file = this.#file(key);
    const content = formatVariantFile(image);
    if (content.length > this.#maxBytes) return;
    await this.#write(file, content);
    const index = await this.#load();
    touch(index, file, content.length);
    if (index.total > this.#maxBytes) await this.#drop(this.#oldest(index));
  }

  async delete(original: string): Promise<void> {
    const folder = join(this.#folder, original);
    const { files } = await this.#load();
    await this.#drop([...files.keys()].filter((file) => dirname(file) === folder));
    await rm(folder, { recursive: true, force: true });
  }

  async clear(): Promise<void> {
    this.#index = Promise.resolve({ files: new Map<string, number>(), total: 0 });
    const old = `${this.#folder}${TEMPORARY}${randomBytes(6).toString("hex")}`;
    // One rename removes everything at once; open files stay readable.
    const isMoved = await rename(this.#folder, old).then(
      () => true,
      () => false,
    );
    if (isMoved) await rm(old, { recursive: true, force: true });
  }

  #file({ original, variant }: StoreKey): string {
    return join(this.#folder, original, variant);
  }

  #oldest({ files, total }: Index): string[] {
    const old: string[] = [];
    const excess = { bytes: total - this.#maxBytes * KEPT_SHARE };
    for (const [file, bytes] of files) {
      if (excess.bytes <= 0) break;
      excess.bytes -= bytes;
      old.push(file);
    }
    return old;
  }

  async #drop(list: readonly string[]): Promise<void> {
    const index = await this.#load();
    for (const file of list) {
      index.total -= index.files.get(file) ?? 0;
      index.files.delete(file);
      await rm(file, { force: true });
    }
  }

  async #write(file: string, content: Buffer): Promise<void> {
    const temporary = join(dirname(file), `${TEMPORARY}${randomBytes(8).toString("hex")}`);
    try {
      await makeFolder(dirname(file));
      await writeFile(temporary, content, { flag: "wx", mode: PRIVATE_FILE });
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  #load(): Promise<Index> {
    return (this.#index ??= this.#scan());
  }

  /**
   * Lists the files of earlier runs, oldest first; deletes the remains of interrupted writes and
   * purges.
   */
  async #scan(): Promise<Index> {
    const found: { file: string; bytes: number; mtimeMs: number }[] = [];
    await this.#sweep();
    for (const original of await listFolder(this.#folder)) {
      for (const name of await listFolder(join(this.#folder, original))) {
        const file = join(this.#folder, original, name);
        if (name.startsWith(TEMPORARY)) await rm(file, { force: true });
        else found.push({ file, ...(await sizeOf(file)) });
      }
    }
    found.sort((a, b) => a.mtimeMs - b.mtimeMs);
    const total = found.reduce((sum, { bytes }) => sum + bytes, 0);
    return { total, files: new Map(found.map(({ file, bytes }) => [file, bytes])) };
  }

  async #sweep(): Promise<void> {
    const parent = dirname(this.#folder);
    for (const name of await listFolder(parent)) {
      const isPurged = name.startsWith(OWN_FOLDER + TEMPORARY);
      if (isPurged) await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}

function touch(index: Index, file: string, bytes: number): void {
  index.total += bytes - (index.files.get(file) ?? 0);
  index.files.delete(file);
  index.files.set(file, bytes);
}

async function listFolder(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function sizeOf(file: string): Promise<{ bytes: number; mtimeMs: number }> {
  const stats = await stat(file).catch(() => null);
  return { bytes: stats?.size ?? 0, mtimeMs: stats?.mtimeMs ?? 0 };
}
