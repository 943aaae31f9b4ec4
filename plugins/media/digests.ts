import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { isSameStamp, toStamp, type FileStamp, type OpenedFile } from "./open-file.js";

/** Files whose digest is kept in memory. */
const MOST_FILES = 20_000;
/** Bytes read and hashed at a time: a millisecond at most, then others have their turn. */
const STEP = 512 * 1024;
/** Files whose bytes are handed on at a time. */
const MOST_KEPT = 2;

/** The digest of a file. */
export interface Digest {
  /** 32 hex characters over the bytes. */
  readonly digest: string;
  /** The bytes, when the file had to be read for it and there was room: it need not be read again. */
  readonly bytes: Buffer | null;
}

/** Digests of files, read again only when a file has changed. */
export class Digests {
  readonly #known = new LRUCache<string, { stamp: FileStamp; digest: string }>({ max: MOST_FILES });
  readonly #reading = new Map<string, Promise<Digest>>();
  readonly #onChange: (digest: string) => void;
  #kept = 0;

  /** `onChange` hears the old digest of a file that has changed. */
  constructor(onChange: (digest: string) => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** The digest of an opened file, which stays open. Several who ask at once share one reading. */
  async of(opened: OpenedFile): Promise<Digest> {
    const { path, stamp } = opened;
    const known = this.#known.get(path);
    if (known !== undefined && isSameStamp(known.stamp, stamp)) {
      return { digest: known.digest, bytes: null };
    }
    const name = `${path}\n${stamp.inode} ${stamp.mtimeNs} ${stamp.size}`;
    const reading = this.#reading.get(name);
    if (reading !== undefined) return { ...(await reading), bytes: null };
    const made = this.#make(opened).finally(() => this.#reading.delete(name));
    this.#reading.set(name, made);
    return made;
  }

  async #make(opened: OpenedFile): Promise<Digest> {
    const { path, stamp } = opened;
    const made = await this.#read(opened);
    const known = this.#known.get(path);
    this.#known.set(path, { stamp, digest: made.digest });
    if (known !== undefined && known.digest !== made.digest) this.#onChange(known.digest);
    return made;
  }

  async #read(opened: OpenedFile): Promise<Digest> {
    if (this.#kept >= MOST_KEPT) return { digest: await hashFile(opened, null), bytes: null };
    this.#kept += 1;
    try {
      const bytes = Buffer.allocUnsafeSlow(opened.stamp.size);
      const digest = await hashFile(opened, bytes);
      const now = toStamp(await opened.handle.stat({ bigint: true }));
      return { digest, bytes: isSameStamp(now, opened.stamp) ? bytes : null };
    } finally {
      this.#kept -= 1;
    }
  }
}

/** Reads to the size of the stamp, into `all` or through a small buffer. */
async function hashFile({ handle, stamp }: OpenedFile, all: Buffer | null): Promise<string> {
  const hash = createHash("sha256");
  const step = all ?? Buffer.allocUnsafeSlow(Math.min(STEP, stamp.size));
  for (let at = 0; at < stamp.size;) {
    const offset = all === null ? 0 : at;
    const length = Math.min(STEP, stamp.size - at);
    const { bytesRead } = await handle.read(step, offset, length, at);
    if (bytesRead === 0) break;
    hash.update(step.subarray(offset, offset + bytesRead));
    at += bytesRead;
  }
  return hash.digest("hex").slice(0, 32);
}
