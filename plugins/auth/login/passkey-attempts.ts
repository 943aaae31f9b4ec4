import type { AttemptLimit } from "../../security/contract.js";

const WINDOW_MS = 15 * 60_000;
/** Failed logins with passkeys per window: from an address, for an account. */
const PER_ADDRESS = 30;
const PER_ACCOUNT = 100;

/** A login that counts as failed until it succeeds. */
export interface PasskeyAttempt {
  /** Seconds to wait; 0: proceed. */
  readonly wait: number;
  /** Takes the attempt back: it succeeded, or was not checked. */
  withdraw(): Promise<void>;
}

/** Counts a login before it is checked, so that concurrent ones cannot exceed the limit. */
export async function beginAttempt(
  attempts: AttemptLimit,
  { address, userId }: { address: string; userId: string | null },
): Promise<PasskeyAttempt> {
  const limits: [string, number][] = [[`passkey:address:${address}`, PER_ADDRESS]];
  if (userId !== null) limits.push([`passkey:account:${userId}`, PER_ACCOUNT]);
  const taken: string[] = [];
  const withdraw = async (): Promise<void> => {
    for (const key of taken) await attempts.release(key, WINDOW_MS, 1);
  };
  for (const [key, limit] of limits) {
    const { allowed, retryAfterSeconds } = await attempts.take(key, limit, WINDOW_MS);
    if (!allowed) {
      await withdraw();
      return { wait: Math.max(1, retryAfterSeconds), withdraw: () => Promise.resolve() };
    }
    taken.push(key);
  }
  return { wait: 0, withdraw };
}
