import { lstatSync } from "node:fs";
import type { Answer } from "#kernel";
import { LRUCache } from "lru-cache";
import { IdleTimer } from "./idle-timer.js";
import { isSameStamp, toStamp, type FileStamp } from "./open-file.js";

/** Bytes of answers held, all together. */
const HELD_BYTES = 64 * 1024 * 1024;

/** A finished answer for everybody. */
export interface HeldAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly mtimeMs: number;
}
/** A held answer, with the finished form of all of it: the same object each time, so that its headers are written once. */
export interface KeptAnswer extends HeldAnswer {
  readonly whole: Answer;
}
/** What an answer was made from: it holds while none of it has changed. */
export interface HeldSources {
  /** Of the content tree: visibility and routes. */
  readonly generation: number;
  /** Absolute path without links, and what was there; null: nothing. */
  readonly files: readonly { readonly path: string; readonly stamp: FileStamp | null }[];
}
interface Entry {
  readonly answer: KeptAnswer;
  readonly sources: HeldSources;
}

/** Answers by raw request target, checked against the disk each time. */
export class HeldAnswers {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: HELD_BYTES,
    sizeCalculation: ({ answer }, target) => answer.body.length + target.length + 1024,
  });

  readonly #idle = new IdleTimer(() => this.clear());

  /** The answer that still holds. Synchronous: two calls of `lstat` cost less than a promise. */
  find(target: string, generation: number): KeptAnswer | null {
    const entry = this.#entries.get(target);
    if (entry === undefined) return null;
    this.#idle.touch();
    const { sources, answer } = entry;
    if (sources.generation === generation && sources.files.every(isUnchanged)) return answer;
    this.#entries.delete(target);
    return null;
  }

  hold(target: string, answer: KeptAnswer, sources: HeldSources): void {
    this.#entries.set(target, { answer, sources });
    this.#idle.touch();
  }

  clear(): void {
    this.#entries.clear();
  }
}

function isUnchanged({ path, stamp }: HeldSources["files"][number]): boolean {
  const now = stampOf(path);
  return stamp === null || now === null ? stamp === now : isSameStamp(stamp, now);
}

/** What stands at a path now, links not followed; null when nothing does. */
export function stampOf(path: string): FileStamp | null {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : toStamp(stats);
  } catch {
    return null;
  }
}
