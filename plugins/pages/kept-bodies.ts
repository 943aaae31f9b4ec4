import { LRUCache } from "lru-cache";

/** Bytes of all kept bodies of one kind. */
const MOST_BYTES = 16 * 1_024 * 1_024;

/** JSON bodies as bytes, made once per source object: sources are immutable, so a body stays true. */
export class KeptBodies<T extends object> {
  readonly #made = new LRUCache<T, Buffer>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ length }) => length + 100,
  });

  /** The body of `source` when it has been made. */
  get(source: T): Buffer | undefined {
    return this.#made.get(source);
  }

  /** The body of `source`, the same buffer each time; `toBody` is asked the first time. */
  of(source: T, toBody: (source: T) => unknown): Buffer {
    const known = this.#made.get(source);
    if (known !== undefined) return known;
    const bytes = Buffer.from(JSON.stringify(toBody(source)));
    this.#made.set(source, bytes);
    return bytes;
  }
}
