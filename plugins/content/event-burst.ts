/** Notices when more events come at once than the system queues: it drops the rest without a word. */
import { readFileSync } from "node:fs";

const LIMIT_FILE = "/proc/sys/fs/inotify/max_queued_events";
const USUAL_LIMIT = 16_384;

/** Counts the events of one turn of the event loop: all that were queued arrive in one. */
export class EventBurst {
  // The queue also holds events of others in this process, and of watches that have ended.
  readonly #limit = queueLimit() / 2;
  #count = 0;
  #isOver = false;

  count(): void {
    if (this.#count === 0) setImmediate(() => (this.#count = 0));
    this.#count += 1;
    if (this.#count >= this.#limit) this.#isOver = true;
  }

  /** True when events may have been lost since the last call. */
  takeOverflow(): boolean {
    const isOver = this.#isOver;
    this.#isOver = false;
    return isOver;
  }
}

function queueLimit(): number {
  try {
    return Number(readFileSync(LIMIT_FILE, "utf8")) || USUAL_LIMIT;
  } catch {
    return USUAL_LIMIT;
  }
}
