import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { isSameStamp, type FileStamp, type OpenedFile } from "./open-file.js";

/** Files whose digest is kept in memory. */
const MOST_FILES = 20_000;

/** Digests of files, read again only when a file has changed. */
export class Digests {
  readonly #known = new LRUCache<string, { stamp: FileStamp; digest: string }>({ max: MOST_FILES });
  readonly #onChange: (digest: string) => void;

  /** `onChange` hears the old digest of a file that has changed. */
  constructor(onChange: (digest: string) => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** 32 hex characters over the bytes of an opened file, which stays open. */
  async of({ handle, path, stamp }: OpenedFile): Promise<string> {
    const known = this.#known.get(path);
    if (known !== undefined && isSameStamp(known.stamp, stamp)) return known.digest;
    const hash = createHash("sha256");
    const stream = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 262_144 });
    for await (const chunk of stream) hash.update(chunk);
    const digest = hash.digest("hex").slice(0, 32);
    this.#known.set(path, { stamp, digest });
    if (known !== undefined && known.digest !== digest) this.#onChange(known.digest);
    return digest;
  }
}
