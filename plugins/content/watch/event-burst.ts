/** Detects event queue overflows: the system silently drops the excess events. */
import { readFileSync } from "node:fs";

const LIMIT_FILE = "/proc/sys/fs/inotify/max_queued_events";
const USUAL_LIMIT = 16_384;

/** Counts the events of one turn of the event loop: all that were queued arrive in one. */
export class EventBurst {
  // Other watchers of this process and ended watches share the queue.
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
