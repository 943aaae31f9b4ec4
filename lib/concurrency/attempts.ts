/** Longest wait for the verdict on other attempts, in ms. */
const WAIT_MS = 10_000;

/** What a counter said. */
export interface AttemptVerdict {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

/** Counts attempts per key; `release` takes the last `count` back (default: 1; `Infinity`: all). */
export interface AttemptStore {
  take(key: string, limit: number, windowMs: number): AttemptVerdict | Promise<AttemptVerdict>;
  release(key: string, windowMs: number, count?: number): void | Promise<void>;
}

/** The attempts of a key that have no verdict. */
interface OpenAttempts {
  /** Counted, and still to be judged. */
  open: number;
  /** Calls of `take` that run. */
  taking: number;
  /** Attempts taken back so far. */
  released: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits wrong attempts. Each counts as wrong before it is checked, so that attempts at the same time cannot
 * exceed the limit. Where attempts without a verdict fill it, the next one waits for them: any number of right
 * ones at the same time is allowed, in one process. Call `failed` or `release` once for each allowed attempt.
 */
export class AttemptLimiter {
  readonly #store: AttemptStore;
  readonly #byKey = new Map<string, OpenAttempts>();

  constructor(store: AttemptStore) {
    this.#store = store;
  }

  /** Counts an attempt; resolves with the verdict once those before it that could be taken back are judged. */
  async take(key: string, limit: number, windowMs: number): Promise<AttemptVerdict> {
    const latest = performance.now() + WAIT_MS;
    const attempts = this.#of(key);
    attempts.taking += 1;
    try {
      for (;;) {
        const { released } = attempts;
        const verdict = await this.#store.take(key, limit, windowMs);
        if (verdict.allowed) attempts.open += 1;
        const isFinal = !verdict.allowed && attempts.open === 0 && attempts.released === released;
        if (verdict.allowed || isFinal || performance.now() >= latest) {
          // Those behind it are rejected too.
          if (isFinal) wake(attempts, Infinity);
          return verdict;
        }
        if (attempts.released === released) await turn(attempts, latest - performance.now());
      }
    } finally {
      attempts.taking -= 1;
      this.#drop(key, attempts);
    }
  }

  /** The attempt was wrong: it stays counted. */
  failed(key: string): void {
    const attempts = this.#of(key);
    attempts.open = Math.max(0, attempts.open - 1);
    if (attempts.open === 0) wake(attempts, 1);
    this.#drop(key, attempts);
  }

  /** The attempt was right, or not checked: takes it back, with `count - 1` others. */
  async release(key: string, windowMs: number, count = 1): Promise<void> {
    const attempts = this.#of(key);
    try {
      await this.#store.release(key, windowMs, count);
    } finally {
      attempts.open = Math.max(0, attempts.open - 1);
      attempts.released += 1;
      wake(attempts, count);
      this.#drop(key, attempts);
    }
  }

  #of(key: string): OpenAttempts {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const attempts: OpenAttempts = { open: 0, taking: 0, released: 0, waiting: [] };
    this.#byKey.set(key, attempts);
    return attempts;
  }

  #drop(key: string, { open, taking }: OpenAttempts): void {
    if (open === 0 && taking === 0) this.#byKey.delete(key);
  }
}

/** Resolves when it is the turn of this attempt, at the latest after `ms`. */
async function turn({ waiting }: OpenAttempts, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(next), 1);
      resolve();
    }, ms);
    const next = (): void => {
      clearTimeout(timer);
      resolve();
    };
    waiting.push(next);
  });
}

function wake({ waiting }: OpenAttempts, count: number): void {
  for (const resolve of waiting.splice(0, Math.min(count, waiting.length))) resolve();
}
