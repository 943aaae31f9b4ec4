import { createHash } from "node:crypto";
import { HttpError, SiteError, type Caches, type CacheSpace } from "#kernel";
import { SingleFlight } from "#lib/concurrency";
import { MAX_INPUT_BYTES, TOO_MANY_BYTES } from "../engines/process-image.js";
import {
  isSameStamp,
  openInside,
  readInto,
  type OpenedFile,
  statOpened,
  toStamp,
  type FileStamp,
} from "./open-file.js";

/** An original; the caller releases its bytes. */
export interface Original extends Pick<OpenedFile, "path" | "stamp">, Digest {}

/** Options of digests. */
interface DigestOptions {
  readonly cache: Pick<Caches, "open">;
  /** Called with the old digest of a file that has changed. */
  onChange?(digest: string): void;
}

/** The originals below a folder, by digest and bytes. */
export class Originals {
  readonly #root: string;
  readonly #buffers = new ReadBuffers();
  readonly #digests: Digests;

  constructor(root: string, options: DigestOptions) {
    this.#root = root;
    this.#digests = new Digests(this.#buffers, options);
  }

  /**
   * The original at a path, or null.
   * @throws ERR_MEDIA_IMAGE (422) when it is too large.
   */
  async find(file: string): Promise<Original | null> {
    const opened = await openInside(this.#root, file);
    if (opened === null) return null;
    const { path, stamp } = opened;
    try {
      if (stamp.size > MAX_INPUT_BYTES) throw tooLarge();
      return { path, stamp, ...(await this.#digests.of(opened)) };
    } finally {
      await opened.handle.close();
    }
  }

  /**
   * The bytes of a known original.
   * @throws ERR_MEDIA_BUSY (503) when it has changed.
   */
  async read({ path, stamp }: Pick<Original, "path" | "stamp">): Promise<Loan> {
    const opened = await openInside(this.#root, path);
    if (opened === null) throw new HttpError(404, "Not found");
    const loan = this.#buffers.lend(stamp.size);
    try {
      const isSame = isSameStamp(opened.stamp, stamp);
      if (!isSame || (await readInto(opened.handle, loan.bytes)) < stamp.size) throw changing();
      return loan;
    } catch (error) {
      loan.end();
      throw error;
    } finally {
      await opened.handle.close();
    }
  }
}

function tooLarge(): SiteError {
  return new SiteError("ERR_MEDIA_IMAGE", TOO_MANY_BYTES, {
    status: 422,
    fix: "replace the original",
  });
}

function changing(): SiteError {
  return new SiteError("ERR_MEDIA_BUSY", "the original is being replaced", {
    status: 503,
    headers: { "Retry-After": "1" },
  });
}

/** Bytes of all cached digests: those of some 20,000 files. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes of the buffer for hashing files whose bytes are not returned. */
const STEP = 512 * 1024;
/** Number of files whose bytes may be in memory at a time. */
const MAX_LENT = 2;

/** The digest of a file. */
interface Digest {
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

  constructor(buffers: ReadBuffers, options: DigestOptions) {
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
    const cached = this.#digests.peek(path);
    if (cached !== undefined && isSameStamp(cached.stamp, stamp)) {
      return { digest: cached.digest, loan: null };
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

/** Maximum number of idle buffers, and the bytes of each. */
const MAX_FREE = 2;
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** Buffer sizes grow in steps, so that a buffer fits the next file too. */
const GRAIN = 1024 * 1024;

/** Memory for a file; the borrower releases it after the last use. */
interface Loan {
  readonly bytes: Buffer;
  end(): void;
}

/**
 * Reusable memory for originals. With a new buffer of megabytes per picture, V8 runs a full
 * collection every few pictures, which costs a tenth of the time of a small variant.
 */
export class ReadBuffers {
  readonly #free: Buffer[] = [];
  #lent = 0;

  /** Number of loans that have not ended. */
  get lent(): number {
    return this.#lent;
  }

  /** Memory of a size in bytes; its contents are undefined. */
  lend(size: number): Loan {
    const buffer = this.#take(size);
    let isOut = true;
    this.#lent += 1;
    return {
      bytes: buffer.subarray(0, size),
      end: () => {
        if (!isOut) return;
        isOut = false;
        this.#lent -= 1;
        this.#keep(buffer);
      },
    };
  }

  #take(size: number): Buffer {
    const at = this.#free.findIndex((buffer) => buffer.length >= size);
    const [free] = at === -1 ? [] : this.#free.splice(at, 1);
    return free ?? Buffer.allocUnsafeSlow(Math.ceil(Math.max(size, 1) / GRAIN) * GRAIN);
  }

  /** Smallest first, so that a small file leaves the large buffer for a large file. */
  #keep(buffer: Buffer): void {
    if (buffer.length > MAX_KEPT_BYTES) return;
    this.#free.push(buffer);
    this.#free.sort((a, b) => a.length - b.length);
    if (this.#free.length > MAX_FREE) this.#free.shift();
  }
}
