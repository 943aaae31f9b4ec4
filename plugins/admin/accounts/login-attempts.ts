import { LRUCache } from "lru-cache";
import type { Clock } from "#kernel";

const WINDOW_MS = 15 * 60_000;
/** Failures per window: for an account from one address, for an address, for an account. */
const LIMITS = { pair: 10, address: 30, account: 100 } as const;
/** Maximum number of tracked keys; the least recently used are evicted. */
const MAX_KEYS = 30_000;

type Kind = keyof typeof LIMITS;

/** Failed logins of the last fifteen minutes. */
export class LoginAttempts {
  // No cache: counters of accounts and addresses.
  readonly #failures = new LRUCache<string, number[]>({
    // `maxSize`, because `max` would allocate all entries at startup.
    maxSize: MAX_KEYS,
    sizeCalculation: () => 1,
  });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts an attempt as failed before the password is checked, so that concurrent attempts cannot
   * exceed the limit. Returns the seconds to wait; 0: proceed.
   */
  begin(account: string, address: string): number {
    const now = this.#clock.now();
    const waits = keysOf(account, address).map(([kind, key]) => this.#wait(kind, key, now));
    const longest = Math.max(...waits);
    if (longest > 0) return longest;
    for (const [, key] of keysOf(account, address)) {
      this.#failures.set(key, [...this.#recent(key, now), now]);
    }
    return 0;
  }

  /**
   * The password was correct: removes this attempt and earlier failures of this account and
   * address.
   */
  succeeded(account: string, address: string): void {
    this.withdraw(account, address);
    for (const [kind, key] of keysOf(account, address)) {
      if (kind === "pair") this.#failures.delete(key);
    }
  }

  /** Removes an attempt whose password was not checked. Earlier failures still count. */
  withdraw(account: string, address: string): void {
    for (const [, key] of keysOf(account, address)) {
      this.#failures.set(key, (this.#failures.get(key) ?? []).slice(0, -1));
    }
  }

  #wait(kind: Kind, key: string, now: number): number {
    const recent = this.#recent(key, now);
    const oldest = recent.at(-LIMITS[kind]);
    return oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000));
  }

  #recent(key: string, now: number): number[] {
    return (this.#failures.get(key) ?? []).filter((at) => at > now - WINDOW_MS);
  }
}

/** Normalises case, spaces and Unicode composition of an account name. */
export function accountKey(login: string): string {
  return login.normalize("NFKC").trim().toLowerCase();
}

function keysOf(account: string, address: string): [Kind, string][] {
  const name = accountKey(account);
  return [
    ["pair", `p:${name}\n${address}`],
    ["address", `i:${address}`],
    ["account", `a:${name}`],
  ];
}
