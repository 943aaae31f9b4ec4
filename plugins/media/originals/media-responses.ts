import { lstatSync } from "node:fs";
import type { Answer, Caches, CacheSpace } from "#kernel";
import { isSameStamp, toStamp, type FileStamp } from "./open-file.js";

/** Bytes of all cached responses. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Idle time after which the memory is released, in ms. */
export const IDLE_MS = 30_000;

/** A complete response for any visitor. */
export interface MediaResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly mtimeMs: number;
}
/**
 * The response with its whole body: always the same object, so that its headers are serialized
 * once.
 */
export interface CachedMediaResponse extends MediaResponse {
  readonly whole: Answer;
}
/** Dependencies of a response: it is valid while none of them has changed. */
export interface ResponseSources {
  /** Generation of the content tree: visibility and routes. */
  readonly generation: number;
  /** Absolute path without links, and the state of the file; null: no file. */
  readonly files: readonly { readonly path: string; readonly stamp: FileStamp | null }[];
}
interface Entry {
  readonly response: CachedMediaResponse;
  readonly sources: ResponseSources;
}

/** Responses by raw request target, validated against the disk on each request. */
export class MediaResponses {
  readonly #entries: CacheSpace<Entry>;

  constructor(caches: Pick<Caches, "open">) {
    this.#entries = caches.open<Entry>("media-responses", {
      maxBytes: MAX_BYTES,
      sizeOf: ({ response }) => response.body.length + 1024,
      idleMs: IDLE_MS,
      untagged: true,
    });
  }

  /**
   * Returns a response that is still valid. Synchronous: two calls of `lstat` cost less than a
   * promise.
   */
  find(target: string, generation: number): CachedMediaResponse | null {
    const entry = this.#entries.peek(target);
    if (entry === undefined) return null;
    const { sources, response } = entry;
    if (sources.generation === generation && sources.files.every(isUnchanged)) return response;
    this.#entries.delete(target);
    return null;
  }

  store(target: string, response: CachedMediaResponse, sources: ResponseSources): void {
    this.#entries.set(target, { response, sources });
  }

  clear(): void {
    this.#entries.clear();
  }
}

function isUnchanged({ path, stamp }: ResponseSources["files"][number]): boolean {
  const now = readStamp(path);
  return stamp === null || now === null ? stamp === now : isSameStamp(stamp, now);
}

/** The current file at a path, without following links, or null. */
export function readStamp(path: string): FileStamp | null {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : toStamp(stats);
  } catch {
    return null;
  }
}
