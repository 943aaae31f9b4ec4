import { LRUCache } from "lru-cache";

/** Bytes of all kept bodies of one kind. */
const MOST_BYTES = 16 * 1_024 * 1_024;

interface Kept {
  readonly bytes: Buffer;
  /** The other object that the body was made from. */
  readonly companion: object | undefined;
}

/**
 * JSON bodies as bytes, made once per source object, or per source and companion: both are
 * immutable, so a body stays true as long as they are the same two.
 */
export class KeptBodies<T extends object> {
  readonly #made = new LRUCache<T, Kept>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 100,
  });

  /** The body of `source` when it has been made from this companion. */
  get(source: T, companion?: object): Buffer | undefined {
    const kept = this.#made.get(source);
    return kept?.companion === companion ? kept?.bytes : undefined;
  }

  /** The body of `source`, the same buffer each time; `toBody` is asked the first time. */
  of(source: T, toBody: (source: T) => unknown, companion?: object): Buffer {
    const known = this.get(source, companion);
    if (known !== undefined) return known;
    const bytes = Buffer.from(JSON.stringify(toBody(source)));
    this.#made.set(source, { bytes, companion });
    return bytes;
  }
}
