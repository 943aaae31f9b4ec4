import { createHash } from "node:crypto";
import type { Caches, CacheSpace } from "#kernel";
import { SingleFlight } from "#lib/concurrency";
import {
  isSameStamp,
  readInto,
  statOpened,
  toStamp,
  type FileStamp,
  type OpenedFile,
} from "./open-file.js";
import type { Loan, ReadBuffers } from "./read-buffers.js";

/** Bytes of all cached digests: those of some 20,000 files. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes of the buffer for hashing files whose bytes are not returned. */
const STEP = 512 * 1024;
/** Number of files whose bytes may be in memory at a time. */
const MAX_LENT = 2;

/** The digest of a file. */
export interface Digest {
  /** 32 hex characters over the bytes. */
  readonly digest: string;
  /**
   * The bytes, if the file was read for the digest and there was room; the caller releases them.
   */
  readonly loan: Loan | null;
}

/** Digests of files; a file is read again only after it has changed. */
export class Digests {
  readonly #digests: CacheSpace<{ stamp: FileStamp; digest: string }>;
  readonly #reading = new SingleFlight<Digest>();
  readonly #buffers: ReadBuffers;
  readonly #onChange: (digest: string) => void;

  /** `onChange` is called with the old digest of a file that has changed. */
  constructor(
    buffers: ReadBuffers,
    options: { cache: Pick<Caches, "open">; onChange?(digest: string): void },
  ) {
    this.#buffers = buffers;
    this.#onChange = (digest) => options.onChange?.(digest);
    this.#digests = options.cache.open("file-digests", {
      maxBytes: MAX_BYTES,
      sizeOf: ({ digest }) => digest.length + 100,
      untagged: true,
    });
  }

  /** The digest of an opened file, which stays open. Concurrent callers share one read. */
  async of(opened: OpenedFile): Promise<Digest> {
    const { path, stamp } = opened;
    const known = this.#digests.peek(path);
    if (known !== undefined && isSameStamp(known.stamp, stamp)) {
      return { digest: known.digest, loan: null };
    }
    const name = `${path}\n${stamp.inode} ${stamp.mtimeNs} ${stamp.size}`;
    const { result, isFirst } = this.#reading.join(name, () => this.#make(opened));
    return isFirst ? result : { ...(await result), loan: null };
  }

  async #make(opened: OpenedFile): Promise<Digest> {
    const { path, stamp } = opened;
    const read = await this.#read(opened);
    const before = this.#digests.peek(path);
    this.#digests.set(path, { stamp, digest: read.digest });
    if (before !== undefined && before.digest !== read.digest) this.#onChange(before.digest);
    return read;
  }

  async #read(opened: OpenedFile): Promise<Digest> {
    if (this.#buffers.lent >= MAX_LENT)
      return { digest: await this.#hashThrough(opened), loan: null };
    const loan = this.#buffers.lend(opened.stamp.size);
    try {
      const digest = await hashInto(opened, loan.bytes);
      const now = toStamp(statOpened(opened.handle));
      if (isSameStamp(now, opened.stamp)) return { digest, loan };
      loan.end();
      return { digest, loan: null };
    } catch (error) {
      loan.end();
      throw error;
    }
  }

  async #hashThrough(opened: OpenedFile): Promise<string> {
    const loan = this.#buffers.lend(Math.min(STEP, opened.stamp.size));
    try {
      return await hashInto(opened, loan.bytes);
    } finally {
      loan.end();
    }
  }
}

/** Reads as many bytes as the stamp says; reuses `target` for each chunk when it is smaller. */
async function hashInto({ handle, stamp }: OpenedFile, target: Buffer): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < stamp.size; at += target.length) {
    const part = target.subarray(0, stamp.size - at);
    const read = await readInto(handle, part, { at, onPiece: (piece) => void hash.update(piece) });
    if (read < part.length) break;
  }
  return hash.digest("hex").slice(0, 32);
}
