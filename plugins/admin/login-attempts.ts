import { LRUCache } from "lru-cache";
import type { Clock } from "#kernel";

const WINDOW_MS = 15 * 60_000;
/** Failures in the window: of an account from one address, of an address, of an account. */
const LIMITS = { pair: 10, address: 30, account: 100 } as const;
/** Keys that are remembered; the least used go first. */
const MOST_KEYS = 30_000;

type Kind = keyof typeof LIMITS;

/** Failed logins of the last fifteen minutes (decisions: Admin). */
export class LoginAttempts {
  // No cache: counters of accounts and addresses.
  readonly #failures = new LRUCache<string, number[]>({
    // As a size: for a `max` room is made at once, at every start.
    maxSize: MOST_KEYS,
    sizeCalculation: () => 1,
  });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts an attempt as failed before it is tried, so that many at once are not tried at once.
   * Whole seconds to wait when there were too many; 0: go on.
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

  /** The password was right: drops this attempt, and the failures of this account and address. */
  succeeded(account: string, address: string): void {
    this.withdraw(account, address);
    for (const [kind, key] of keysOf(account, address)) {
      if (kind === "pair") this.#failures.delete(key);
    }
  }

  /** Drops an attempt that ended without a verdict on the password. Earlier failures still count. */
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

/** The same account, however it is written: case, spaces and composition do not make another one. */
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
