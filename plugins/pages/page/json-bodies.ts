import type { Caches, CacheSpace } from "#kernel";
import { unpooled } from "#kernel/internal";

/** Maximum size of all bodies of one kind, in bytes. */
const MAX_BYTES = 16 * 1_024 * 1_024;

/** The immutable objects of a body, which is valid as long as both are identical. */
export interface BodySource<T extends object> {
  /** The cache key of the body. */
  readonly key: string;
  readonly source: T;
  readonly companion?: object;
  /** The tags of their dependencies. */
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

  /** The cached body of a source; calls `toBody` on first use. */
  of(from: BodySource<T>, toBody: (source: T) => unknown): Buffer {
    const cached = this.find(from);
    if (cached !== undefined) return cached;
    const { key, source, companion, tags } = from;
    const bytes = unpooled(Buffer.from(JSON.stringify(toBody(source))));
    this.#bodies.set(key, { bytes, source, companion }, { tags });
    return bytes;
  }
}
