/** Maximum number of idle buffers, and the bytes of each. */
const MAX_FREE = 2;
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** Buffer sizes grow in steps, so that a buffer fits the next file too. */
const GRAIN = 1024 * 1024;

/** Memory for a file; the borrower releases it after the last use. */
export interface Loan {
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
    const [found] = at === -1 ? [] : this.#free.splice(at, 1);
    return found ?? Buffer.allocUnsafeSlow(Math.ceil(Math.max(size, 1) / GRAIN) * GRAIN);
  }

  /** Smallest first, so that a small file leaves the large buffer for a large file. */
  #keep(buffer: Buffer): void {
    if (buffer.length > MAX_KEPT_BYTES) return;
    this.#free.push(buffer);
    this.#free.sort((a, b) => a.length - b.length);
    if (this.#free.length > MAX_FREE) this.#free.shift();
  }
}
