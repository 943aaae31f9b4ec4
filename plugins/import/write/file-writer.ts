/** Writes pages through the write path of the site, many at a time; never over a file that exists. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SiteContext } from "#kernel";
import { errorCode } from "#lib/errors";
import type { ContentChangeResult } from "../../content/contract.js";
import type { Origin } from "../contract.js";
import type { Counted, Tally } from "./tally.js";

const MAX_FILES = 50;
const MAX_BYTES = 8 * 1_048_576;
const ACTOR = { id: "import", name: "Import", email: "import@localhost" };

/** A file to write. */
export interface NewFile {
  readonly path: string;
  readonly content: string | Buffer;
  readonly origin: Origin;
  readonly part: Extract<Counted, "pages" | "media"> | null;
}

/** Options of writing files. */
interface FileWriterOptions {
  /** Checks the changes and writes nothing. */
  readonly dryRun: boolean;
}

/** Collects files and writes them in batches. */
export class FileWriter {
  readonly #site: SiteContext;
  readonly #tally: Tally;
  readonly #dryRun: boolean;
  #waiting: NewFile[] = [];
  #bytes = 0;

  constructor(site: SiteContext, tally: Tally, options: FileWriterOptions) {
    this.#site = site;
    this.#tally = tally;
    this.#dryRun = options.dryRun;
  }

  /** Adds a file. One with the same bytes is unchanged, another one stays as it is. */
  async add(file: NewFile): Promise<void> {
    const before = await this.read(file.path);
    if (before !== null) {
      this.#found(file, before);
      return;
    }
    this.#waiting.push(file);
    this.#bytes += Buffer.byteLength(file.content);
    if (this.#waiting.length >= MAX_FILES || this.#bytes >= MAX_BYTES) await this.flush();
  }

  /** Bytes of a file below `content/`; null when it does not exist. @throws errors of the disk. */
  async read(path: string): Promise<Buffer | null> {
    try {
      return await readFile(join(this.#site.paths.content, path));
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "EISDIR"].includes(errorCode(error))) return null;
      throw error;
    }
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    const files = this.#waiting;
    [this.#waiting, this.#bytes] = [[], 0];
    if (files.length === 0) return;
    const changes = files.map(({ path, content }) => ({ op: "write" as const, path, content }));
    const results = await this.#site.use("content").apply(changes, {
      actor: ACTOR,
      message: `Import ${files.length} files`,
      validate: false,
      dryRun: this.#dryRun,
    });
    for (const [at, result] of results.entries()) this.#done(files[at], result);
  }

  #done(file: NewFile | undefined, { status, errors, code }: ContentChangeResult): void {
    if (file === undefined || file.part === null) return;
    if (status !== "error") this.#tally[file.part].created += 1;
    else if (code === "ERR_CONTENT_WRITE")
      this.#tally.fail(file.part, file.origin, errors.join("; "));
    else this.#tally.skip(file.part, file.origin, errors.join("; "));
  }

  #found({ path, content, origin, part }: NewFile, before: Buffer): void {
    if (part === null) return;
    if (before.equals(Buffer.from(content))) this.#tally[part].unchanged += 1;
    else this.#tally.skip(part, origin, `${path} exists with another text, which stays`);
  }
}
