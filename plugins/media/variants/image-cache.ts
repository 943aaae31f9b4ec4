import { createHash } from "node:crypto";
import type { Caches, CacheSpace } from "#kernel";
import type { ProcessedImage, StoreKey } from "../contract.js";
import { IDLE_MS } from "../originals/media-responses.js";

/** Maximum bytes of all cached variants, and of each. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_IMAGE_BYTES = 2 * 1024 * 1024;
/** Bytes of a variant besides its image, about. */
const FACTS_BYTES = 512;

/** A variant to send. */
export interface CachedImage extends ProcessedImage {
  /** Strong, with quotes. */
  readonly etag: string;
}

/**
 * Variants in memory, by the digest of the original and the operations. The store has them too, so the
 * memory is released when idle.
 */
export function openImageCache(caches: Pick<Caches, "open">): CacheSpace<CachedImage> {
  return caches.open("image-variants", {
    maxBytes: MAX_BYTES,
    maxValueBytes: MAX_IMAGE_BYTES + FACTS_BYTES,
    idleMs: IDLE_MS,
    sizeOf: ({ bytes }) => bytes.length + FACTS_BYTES,
  });
}

/** The cache tag of all variants of an original. */
export function tagOf(digest: string): string {
  return `original:${digest}`;
}

/** The ETag identifies the bytes: it contains the original's digest and all operations. */
export function withEtag({ original, variant }: StoreKey, image: ProcessedImage): CachedImage {
  const name = `${original}/${variant} ${image.bytes.length}`;
  const digest = createHash("sha256").update(name).digest("base64url");
  return { ...image, etag: `"${digest.slice(0, 27)}"` };
}
