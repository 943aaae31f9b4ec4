import { HttpError, SiteError, type Caches } from "#kernel";
import { Digests, type Digest } from "./digests.js";
import { MAX_INPUT_BYTES, TOO_MANY_BYTES } from "./input-limit.js";
import { isSameStamp, openInside, readInto, type OpenedFile } from "./open-file.js";
import { ReadBuffers, type Loan } from "./read-buffers.js";

/** An original; the caller releases its bytes. */
export interface Original extends Pick<OpenedFile, "path" | "stamp">, Digest {}

/** The originals below a folder, by digest and bytes. */
export class Originals {
  readonly #root: string;
  readonly #buffers = new ReadBuffers();
  readonly #digests: Digests;

  /** `onChange` is called with the old digest of an original that has changed. */
  constructor(
    root: string,
    options: { cache: Pick<Caches, "open">; onChange?(digest: string): void },
  ) {
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
