// Hashing a password takes 20 ms and 19 MB on purpose, and most tests with an account do it twice
// with the same password.
import { createRequire } from "node:module";

/** Two, so that a test can see that hashes of one password differ. */
const HASHES = 2;

/**
 * From now on the argon2 of this process computes equal work once: a password is hashed as in production,
 * and the next time gets one of its earlier hashes.
 */
export function rememberPasswords(): void {
  // Not `import`, whose names would be bound before they are replaced.
  const argon2: typeof import("@node-rs/argon2") = createRequire(import.meta.url)(
    "@node-rs/argon2",
  );
  const { hash, verify } = argon2;
  const hashes = new Map<string, Promise<string>[]>();
  const matches = new Map<string, Promise<boolean>>();
  const quickHash: typeof hash = (password, options, signal) => {
    const key = JSON.stringify([String(password), options]);
    const known = hashes.get(key) ?? [];
    const first = known.length < HASHES ? undefined : known.shift();
    const next = first ?? hash(password, options, signal);
    hashes.set(key, [...known, next]);
    return next;
  };
  const quickVerify: typeof verify = (hashed, password, options, signal) => {
    const key = JSON.stringify([String(hashed), String(password)]);
    const match = matches.get(key) ?? verify(hashed, password, options, signal);
    matches.set(key, match);
    return match;
  };
  Object.assign(argon2, { hash: quickHash, verify: quickVerify });
}
