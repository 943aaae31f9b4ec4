/** Which addresses a content delivery network may hold, and what each was made from. */

/** Limits of a ledger. */
export interface LedgerLimits {
  /** Addresses. */
  mostUrls: number;
  /** Tags of all addresses together. */
  mostTags: number;
}

/** How long a change is remembered against answers still being made, in ms. */
const REMEMBER_MS = 120_000;

/** The tag of what every change concerns. */
export const ANY = "*";

/**
 * Addresses by the tags of what they were made from. It only ever forgets what it gives out: when it
 * is full it says so, and the next change concerns everything.
 */
export class Ledger {
  readonly #limits: LedgerLimits;
  readonly #now: () => number;
  readonly #urls = new Map<string, ReadonlySet<string>>();
  readonly #byTag = new Map<string, Set<string>>();
  readonly #changed = new Map<string, number>();
  #tags = 0;
  #hasLost = false;
  #isComplete: boolean;

  /** `isComplete`: the network holds nothing that was not noted here. */
  constructor(limits: LedgerLimits, isComplete: boolean, now = (): number => performance.now()) {
    this.#limits = limits;
    this.#isComplete = isComplete;
    this.#now = now;
  }

  /**
   * Notes an answer whose making began at `startedAt` (monotonic ms). True when something it read
   * has changed since: the copy is old already.
   */
  note(url: string, reads: ReadonlySet<string>, startedAt: number): boolean {
    const isOld = [...reads].some((tag) => (this.#changed.get(tag) ?? -1) >= startedAt);
    if (isOld) return true;
    const former = this.#urls.get(url);
    if (former !== undefined) {
      if (isSame(former, reads)) return false;
      this.#forget(url, former);
    }
    if (this.#urls.size >= this.#limits.mostUrls || this.#tags + reads.size > this.#limits.mostTags)
      this.lost();
    else this.#add(url, reads);
    return false;
  }

  /** Gives out the addresses made from one of `tags`; null: nobody can say, so it is everything. */
  take(tags: Iterable<string>): string[] | null {
    const now = this.#now();
    for (const [tag, at] of this.#changed) {
      if (now - at > REMEMBER_MS) this.#changed.delete(tag);
    }
    const found = new Set<string>();
    for (const tag of [...tags, ANY]) {
      this.#changed.set(tag, now);
      for (const url of this.#byTag.get(tag) ?? []) found.add(url);
    }
    if (!this.#isComplete) return null;
    for (const url of found) this.#forget(url, this.#urls.get(url) ?? new Set());
    return [...found];
  }

  /** Something was sent that cannot be noted. */
  lost(): void {
    this.#hasLost = true;
    this.#isComplete = false;
  }

  /**
   * The network holds nothing any more. What is noted stays: it goes out again, from memory, without
   * being noted again. True when something was lost: then what is held in memory must go too.
   */
  emptied(): boolean {
    const hadLost = this.#hasLost;
    if (hadLost) {
      this.#urls.clear();
      this.#byTag.clear();
      this.#tags = 0;
    }
    this.#hasLost = false;
    this.#isComplete = true;
    return hadLost;
  }

  has(url: string): boolean {
    return this.#urls.has(url);
  }

  get size(): number {
    return this.#urls.size;
  }

  #add(url: string, reads: ReadonlySet<string>): void {
    this.#urls.set(url, reads);
    this.#tags += reads.size;
    for (const tag of reads) {
      const urls = this.#byTag.get(tag) ?? new Set();
      urls.add(url);
      this.#byTag.set(tag, urls);
    }
  }

  #forget(url: string, reads: ReadonlySet<string>): void {
    this.#urls.delete(url);
    this.#tags -= reads.size;
    for (const tag of reads) {
      const urls = this.#byTag.get(tag);
      urls?.delete(url);
      if (urls?.size === 0) this.#byTag.delete(tag);
    }
  }
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a === b) return true;
  return a.size === b.size && [...a].every((tag) => b.has(tag));
}
