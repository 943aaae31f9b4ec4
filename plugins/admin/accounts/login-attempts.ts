import { AttemptLimiter } from "#lib/concurrency";
import type { AttemptLimit, RateVerdict } from "../../security/contract.js";

const WINDOW_MS = 15 * 60_000;
/** Failures per window: for an account from one address, for an address, for an account. */
const LIMITS = { pair: 10, address: 30, account: 100 } as const;
/** Wrong codes per account: they have six digits. */
const CODES = 10;

type Kind = keyof typeof LIMITS;

/** Failed logins of the last fifteen minutes. */
export class LoginAttempts {
  readonly #attempts: AttemptLimiter;

  constructor(attempts: AttemptLimit) {
    this.#attempts = new AttemptLimiter(attempts);
  }

  /**
   * Counts an attempt as failed until its password is checked, so that concurrent attempts cannot exceed
   * the limit. Returns the seconds to wait; 0: proceed, then call `succeeded`, `failed` or `withdraw`.
   */
  async begin(account: string, address: string): Promise<number> {
    const taken: string[] = [];
    // In one order: attempts that wait for each other could not go on.
    for (const [kind, key] of limiterKeys(account, address)) {
      const verdict = await this.#attempts.take(key, LIMITS[kind], WINDOW_MS);
      if (!verdict.allowed) {
        // A rejected attempt does not count.
        await Promise.all(taken.map((one) => this.#release(one)));
        return toWaitSeconds(verdict);
      }
      taken.push(key);
    }
    return 0;
  }

  /**
   * The password was correct: removes this attempt and earlier failures of this account and
   * address.
   */
  async succeeded(account: string, address: string): Promise<void> {
    const keys = limiterKeys(account, address);
    await Promise.all(
      keys.map(([kind, key]) => this.#release(key, kind === "pair" ? Infinity : 1)),
    );
  }

  /** The password was wrong: the attempt stays counted. */
  failed(account: string, address: string): void {
    for (const [, key] of limiterKeys(account, address)) this.#attempts.failed(key);
  }

  /** Removes an attempt whose password was not checked. Earlier failures still count. */
  async withdraw(account: string, address: string): Promise<void> {
    await Promise.all(limiterKeys(account, address).map(([, key]) => this.#release(key)));
  }

  /** Counts a code as wrong until it is checked. Returns the seconds to wait; 0: proceed. */
  async beginCode(userId: string): Promise<number> {
    return toWaitSeconds(await this.#attempts.take(codeKey(userId), CODES, WINDOW_MS));
  }

  /** The code was right: removes the failures of the account's codes. */
  codeSucceeded(userId: string): Promise<void> {
    return this.#release(codeKey(userId), Infinity);
  }

  /** The code was wrong: it stays counted. */
  codeFailed(userId: string): void {
    this.#attempts.failed(codeKey(userId));
  }

  async #release(key: string, count = 1): Promise<void> {
    await this.#attempts.release(key, WINDOW_MS, count);
  }
}

function toWaitSeconds({ allowed, retryAfterSeconds }: RateVerdict): number {
  return allowed ? 0 : Math.max(1, retryAfterSeconds);
}

/** Normalises case, spaces and Unicode composition of an account name. */
export function accountKey(login: string): string {
  return login.normalize("NFKC").trim().toLowerCase();
}

function codeKey(userId: string): string {
  return `login:code:${userId}`;
}

function limiterKeys(account: string, address: string): [Kind, string][] {
  const name = accountKey(account);
  return [
    ["pair", `login:pair:${name}\n${address}`],
    ["address", `login:address:${address}`],
    ["account", `login:account:${name}`],
  ];
}
