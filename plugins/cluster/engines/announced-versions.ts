/** Which worker announced which version, by the rules of the script `CLAIM` for Redis. */
import type { Version } from "../transport.js";

/** Versions that are remembered of one key. */
const MAX_VERSIONS = 16;
/** Keys that are remembered. */
const MAX_KEYS = 50_000;
/** For this long an equal file is recognised though a newer version is known: workers look late, in ms. */
const RECENT_MS = 60_000;

interface Announced extends Omit<Version, "key"> {
  readonly node: string;
  readonly at: number;
}

/** Announced versions by key, the newest first; the oldest keys are dropped. */
export class AnnouncedVersions {
  readonly #byKey = new Map<string, Announced[]>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The node that announced a version; null: none. */
  nodeOf({ key, state, exact }: Version): string | null {
    const now = this.#now();
    const known = (this.#byKey.get(key) ?? []).find(
      (one, nth) =>
        (nth === 0 && one.state === state) || (one.exact === exact && now - one.at < RECENT_MS),
    );
    return known?.node ?? null;
  }

  add({ key, state, exact }: Version, node: string): void {
    const known = this.#byKey.get(key) ?? [];
    this.#byKey.delete(key);
    const versions = [{ state, exact, node, at: this.#now() }, ...known].slice(0, MAX_VERSIONS);
    this.#byKey.set(key, versions);
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > MAX_KEYS && oldest !== undefined) this.#byKey.delete(oldest);
  }
}
