import type { Caches, CacheSpace } from "#kernel";

/** Bytes of all bodies of one kind. */
const MAX_BYTES = 16 * 1_024 * 1_024;

/** The objects that a body is made from. Both are immutable: a body is valid as long as they are the same two. */
export interface BodySource<T extends object> {
  /** What the body is cached under. */
  readonly key: string;
  readonly source: T;
  readonly companion?: object;
  /** What they were read from. */
  readonly tags: ReadonlySet<string>;
}
interface JsonBody {
  readonly bytes: Buffer;
  readonly source: object;
  readonly companion: object | undefined;
}

/** JSON bodies as bytes, encoded once per source. */
export class JsonBodies<T extends object> {
  readonly #bodies: CacheSpace<JsonBody>;

  constructor(caches: Pick<Caches, "open">, space: string) {
    this.#bodies = caches.open<JsonBody>(space, {
      maxBytes: MAX_BYTES,
      sizeOf: ({ bytes }) => bytes.length,
    });
  }

  find({ key, source, companion }: Omit<BodySource<T>, "tags">): Buffer | undefined {
    const cached = this.#bodies.peek(key);
    const isSame = cached?.source === source && cached.companion === companion;
    return isSame ? cached.bytes : undefined;
  }

  /** The body of a source, the same buffer each time; `toBody` is called the first time. */
  of(from: BodySource<T>, toBody: (source: T) => unknown): Buffer {
    const cached = this.find(from);
    if (cached !== undefined) return cached;
    const { key, source, companion, tags } = from;
    const bytes = Buffer.from(JSON.stringify(toBody(source)));
    this.#bodies.set(key, { bytes, source, companion }, { tags });
    return bytes;
  }
}
