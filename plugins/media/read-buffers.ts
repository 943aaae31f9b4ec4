/** Buffers that wait for the next file, and the bytes of each. */
const MOST_FREE = 2;
const MOST_KEPT_BYTES = 8 * 1024 * 1024;
/** Buffers grow in steps, so that one fits the next file too. */
const GRAIN = 1024 * 1024;

/** Memory that a file is read into; whoever took it gives it back once nobody looks at it any more. */
export interface Loan {
  readonly bytes: Buffer;
  end(): void;
}

/**
 * Memory for originals, used again and again. Buffers of megabytes that are made for each picture
 * look to V8 like a heap about to burst: it would collect all of it every few pictures, for a tenth
 * of the time that a small variant takes.
 */
export class ReadBuffers {
  readonly #free: Buffer[] = [];
  #lent = 0;

  /** Loans that have not ended. */
  get lent(): number {
    return this.#lent;
  }

  /** Memory of a size in bytes; what is in it is anybody's. */
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

  /** Smallest first, so that a small file leaves the large one for a large file. */
  #keep(buffer: Buffer): void {
    if (buffer.length > MOST_KEPT_BYTES) return;
    this.#free.push(buffer);
    this.#free.sort((a, b) => a.length - b.length);
    if (this.#free.length > MOST_FREE) this.#free.shift();
  }
}
