/** The files of versions: `{folder}/{sourcePath}/{n}.json`. */
import { readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { atomicWrite, safeJoin } from "#kernel";
import { errorCode } from "#lib/errors";
import { makeFolder } from "#lib/files";
import { sha256 } from "#lib/secrets";
import type { Revision } from "./contract.js";

const NAME = /^(\d{8})\.json$/;

const revisionSchema = z.object({
  n: z.int().min(1),
  sourcePath: z.string(),
  kind: z.enum(["saved", "found", "deleted"]),
  createdAt: z.number(),
  actor: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
  message: z.string(),
  size: z.number(),
  hash: z.string(),
  content: z.string(),
});
/** A version without its number. */
export type NewRevision = Omit<Revision, "n" | "size" | "hash">;

/** Stores the newest versions of each page. Calls for one page must not overlap. */
export class RevisionLog {
  readonly #folder: string;
  readonly #most: number;

  constructor(folder: string, most: number) {
    this.#folder = folder;
    this.#most = most;
  }

  /**
   * Adds a version and deletes the oldest beyond the limit. A text equal to the newest version is
   * not stored again, but its author is added if the newest version was only found.
   */
  async add(revision: NewRevision): Promise<void> {
    if (this.#most === 0) return;
    const { sourcePath, content } = revision;
    const [newest = 0, ...older] = await this.numbers(sourcePath);
    const hash = sha256(content);
    const last = await this.read(sourcePath, newest);
    const isSame = last?.hash === hash && revision.kind !== "deleted";
    if (isSame && !isNamed(last, revision)) return;
    const n = isSame ? newest : newest + 1;
    const full: Revision = { ...revision, n, size: Buffer.byteLength(content), hash };
    await atomicWrite(this.#file(sourcePath, n), JSON.stringify(full));
    const surplus = [newest, ...older].filter((old) => old > 0 && old <= n - this.#most);
    for (const old of surplus) await rm(this.#file(sourcePath, old), { force: true });
  }

  /** True when there are versions of a page, or of pages in a folder. */
  async has(path: string): Promise<boolean> {
    const folder = this.#pageFolder(path);
    return folder !== null && (await listNames(folder)).length > 0;
  }

  /** True when a version with this text was recorded for a save of that moment. */
  async isRecorded(sourcePath: string, at: number, content: Buffer): Promise<boolean> {
    const hash = sha256(content);
    for (const n of await this.numbers(sourcePath)) {
      const revision = await this.read(sourcePath, n);
      const isSave = revision?.createdAt === at && revision.kind !== "found";
      if (isSave && revision.hash === hash) return true;
    }
    return false;
  }

  /** Numbers of a page's versions, newest first. */
  async numbers(sourcePath: string): Promise<number[]> {
    const folder = this.#pageFolder(sourcePath);
    if (folder === null) return [];
    const names = await listNames(folder);
    return names
      .flatMap((name) => NAME.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => b - a);
  }

  /** Null for a missing version or a damaged file. */
  async read(sourcePath: string, n: number): Promise<Revision | null> {
    if (this.#pageFolder(sourcePath) === null || !Number.isSafeInteger(n) || n < 1) return null;
    try {
      return revisionSchema.parse(JSON.parse(await readFile(this.#file(sourcePath, n), "utf8")));
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError || isAbsent(error))
        return null;
      throw error;
    }
  }

  /** Moves the versions of a page, or of all pages in a folder, to another path. */
  async move(path: string, to: string): Promise<void> {
    const [from, target] = [this.#pageFolder(path), this.#pageFolder(to)];
    if (from === null || target === null) return;
    await makeFolder(dirname(target));
    // Versions left by an earlier page at this path belong to that page.
    await rm(target, { recursive: true, force: true });
    await rename(from, target).catch((error: unknown) => {
      if (!isAbsent(error)) throw error;
    });
  }

  #file(sourcePath: string, n: number): string {
    return join(this.#pageFolder(sourcePath) ?? this.#folder, `${String(n).padStart(8, "0")}.json`);
  }

  #pageFolder(sourcePath: string): string | null {
    const folder = safeJoin(this.#folder, sourcePath);
    return folder === this.#folder ? null : folder;
  }
}

/** True when the author of a found version becomes known. */
function isNamed(last: Pick<Revision, "kind">, next: Pick<Revision, "kind">): boolean {
  return last.kind === "found" && next.kind === "saved";
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes(errorCode(error));
}
