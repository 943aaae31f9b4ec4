/** Characters that are handed on at once. */
const MOST_CHARACTERS = 16_000;
/** Longest time a line waits, in ms. */
const PATIENCE_MS = 200;

/** What lines are written to: a stream that writes in the background. */
export interface LineTarget {
  write(text: string): unknown;
  flushSync(): void;
}

/**
 * Lines of a log, handed on many at a time: a write per request is a fifth of what a held answer
 * costs. The stream below could gather them too, but counts all it has gathered with each line.
 */
export class LineBatch implements LineTarget {
  readonly #target: LineTarget;
  #lines: string[] = [];
  #characters = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(target: LineTarget) {
    this.#target = target;
  }

  write(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= MOST_CHARACTERS) this.handOn();
    else this.#timer ??= setTimeout(() => this.handOn(), PATIENCE_MS).unref();
  }

  /** Gives the lines to the stream. */
  handOn(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#lines.length === 0) return;
    this.#target.write(this.#lines.join(""));
    this.#lines = [];
    this.#characters = 0;
  }

  /** Writes the lines out before it returns. */
  flushSync(): void {
    this.handOn();
    this.#target.flushSync();
  }
}
