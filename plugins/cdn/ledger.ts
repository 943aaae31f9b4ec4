/** Tracks which addresses the network may have cached, and their dependencies. */
import type { ContentAddresses, PageEntry } from "../content/contract.js";

/** Limits of a ledger. */
export interface LedgerLimits {
  /** Addresses. */
  mostUrls: number;
  /** Tags of all addresses together. */
  mostTags: number;
}

/** Changes are remembered this long to detect outdated responses in progress, in ms. */
const REMEMBER_MS = 120_000;

/** The tag of addresses that every change affects. */
export const ANY = "*";

/**
 * Addresses by the tags of their dependencies. Entries leave the ledger only through `take`. When it is
 * full, the next change affects everything.
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

  /** `isComplete`: the network has cached nothing that is not recorded here. */
  constructor(limits: LedgerLimits, isComplete: boolean, now = (): number => performance.now()) {
    this.#limits = limits;
    this.#isComplete = isComplete;
    this.#now = now;
  }

  /**
   * Records a response whose rendering began at `startedAt` (monotonic ms). True when a dependency has
   * changed since, so the copy is already outdated.
   */
  note(url: string, reads: ReadonlySet<string>, startedAt: number): boolean {
    const isOld = [...reads].some((tag) => (this.#changed.get(tag) ?? -1) >= startedAt);
    if (isOld) return true;
    const former = this.#urls.get(url);
    if (former !== undefined) {
      if (isSame(former, reads)) return false;
      this.#remove(url, former);
    }
    if (this.#urls.size >= this.#limits.mostUrls || this.#tags + reads.size > this.#limits.mostTags)
      this.lost();
    else this.#add(url, reads);
    return false;
  }

  /** Removes and returns the addresses with one of `tags`; null: unknown, so everything. */
  take(tags: Iterable<string>): string[] | null {
    const now = this.#now();
    for (const [tag, at] of this.#changed) {
      if (now - at > REMEMBER_MS) this.#changed.delete(tag);
    }
    const paths = new Set<string>();
    for (const tag of [...tags, ANY]) {
      this.#changed.set(tag, now);
      for (const url of this.#byTag.get(tag) ?? []) paths.add(url);
    }
    if (!this.#isComplete) return null;
    for (const url of paths) this.#remove(url, this.#urls.get(url) ?? new Set());
    return [...paths];
  }

  /** Marks the ledger incomplete after a response that cannot be recorded. */
  lost(): void {
    this.#hasLost = true;
    this.#isComplete = false;
  }

  /**
   * The network is empty. Entries remain, because the site serves cached responses again without recording
   * them. True when the ledger was incomplete: then the site's cache must be cleared, too.
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

  #remove(url: string, reads: ReadonlySet<string>): void {
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

/**
 * All paths of a page, requested or not: a cached 404 or redirect there is now outdated.
 */
export function listPaths(entry: PageEntry, addresses: Pick<ContentAddresses, "urlOf">): string[] {
  const aliases = entry.aliases.map((alias) => addresses.urlOf(alias, entry.lang));
  return [entry.url, ...aliases, `/api/pages${entry.route}`];
}

/** The absolute address of a path of the site. */
export function addressOf(base: string, path: string): string {
  return new URL(base + path).href;
}
