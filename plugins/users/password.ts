import { randomBytes } from "node:crypto";
import PQueue from "p-queue";
import { HttpError } from "#kernel";

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const MIN_CHARACTERS = 12;
/** Maximum in bytes of UTF-8: hashing longer ones would help an attacker exhaust the CPU. */
const MAX_BYTES = 1_024;
/** Concurrent hashes; they use the four threads that file access needs too. */
const CONCURRENCY = 2;
const QUEUE = 100;

/** The functions used from the library. */
export type Argon2 = Pick<typeof import("@node-rs/argon2"), "hash" | "verify">;

/** Hashes passwords: bounded, and with the same timing whether or not an account exists. */
export class Passwords {
  readonly #queue = new PQueue({ concurrency: CONCURRENCY });
  readonly #load: () => Promise<Argon2>;
  #decoy: Promise<string> | null = null;

  constructor(load: () => Promise<Argon2> = () => import("@node-rs/argon2")) {
    this.#load = load;
  }

  /** @throws ERR_USER_PASSWORD_WEAK (400), ERR_USER_PASSWORD_BUSY (503). */
  async hash(password: string, about: readonly string[] = []): Promise<string> {
    const problem = passwordProblem(password, about);
    if (problem !== null) {
      throw new HttpError(400, problem, {
        code: "ERR_USER_PASSWORD_WEAK",
        fix: `use at least ${MIN_CHARACTERS} characters`,
      });
    }
    return this.#run((argon2) => argon2.hash(password, COST));
  }

  /**
   * True if the password matches the hash. Does the same work for a missing or foreign hash, and
   * returns false.
   * @throws ERR_USER_PASSWORD_BUSY (503).
   */
  async verify(hash: string | null | undefined, password: string): Promise<boolean> {
    if (Buffer.byteLength(password) > MAX_BYTES) return false;
    const argonHash = hash?.startsWith("$argon2") === true ? hash : null;
    const against = argonHash ?? (await this.#decoyHash());
    const matches = await this.#run(async (argon2) => {
      try {
        return await argon2.verify(against, password);
      } catch {
        // A malformed hash matches no password.
        return false;
      }
    });
    return matches && argonHash !== null;
  }

  #decoyHash(): Promise<string> {
    this.#decoy ??= this.#run((argon2) => argon2.hash(randomBytes(32).toString("hex"), COST));
    return this.#decoy;
  }

  async #run<T>(work: (argon2: Argon2) => Promise<T>): Promise<T> {
    if (this.#queue.size >= QUEUE) {
      throw new HttpError(503, "too many logins at once, try again in a moment", {
        code: "ERR_USER_PASSWORD_BUSY",
        headers: { "Retry-After": "5" },
      });
    }
    return this.#queue.add(async () => work(await this.#load()));
  }
}

/** The problem of a password, or null. `about`: names that the password must not equal. */
export function passwordProblem(password: string, about: readonly string[] = []): string | null {
  const characters = Array.from(password.normalize("NFC"));
  if (characters.length < MIN_CHARACTERS) {
    return `the password has ${characters.length} characters, at least ${MIN_CHARACTERS} are needed`;
  }
  if (Buffer.byteLength(password) > MAX_BYTES)
    return `the password is longer than ${MAX_BYTES} bytes`;
  if (new Set(characters).size < 5) return "the password repeats a few characters";
  const lower = password.toLowerCase();
  if (about.some((name) => name !== "" && lower === name.toLowerCase())) {
    return "the password equals a name of the account";
  }
  return null;
}
