import { ulid } from "ulid";
import { z } from "zod";
import type { Clock } from "#kernel";
import type { CollectionDefinition, RecordCollection, RecordStore } from "#kernel/internal";
import type { User } from "../../users/contract.js";
import { passwordDigest } from "./login-step.js";
import { createLinkToken, isLinkToken, linkIdOf } from "./link-token.js";

/** How long a link can be used. */
export const RESET_MINUTES = 60;
const LIFETIME_MS = RESET_MINUTES * 60_000;

const shape = z.object({
  id: z.string(),
  userId: z.string(),
  /** SHA-256 of the link's token, hex. */
  hash: z.string().length(64),
  /** Digest of the password's hash: another password ends the link. */
  replaces: z.string(),
  expiresAt: z.number(),
});
/** A link that resets a password, as it is stored. */
export type PasswordReset = z.infer<typeof shape>;

const COLLECTION: CollectionDefinition<PasswordReset> = {
  name: "password-resets",
  key: /^[0-9A-HJKMNP-TV-Z]{26}$/,
  byDay: true,
  parse: (value, id) => {
    const { data } = shape.safeParse(value);
    return data?.id === id ? data : null;
  },
};

/** Links that set a forgotten password, each at most once. */
export class PasswordResets {
  readonly #store: () => RecordStore;
  readonly #clock: Clock;

  constructor(store: () => RecordStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the token of the link. */
  async create(user: User): Promise<string> {
    const now = this.#clock.now();
    await this.#records.prune(now - LIFETIME_MS);
    const id = ulid(now);
    const { token, hash } = createLinkToken(id);
    const expiresAt = now + LIFETIME_MS;
    await this.#records.put(id, {
      ...{ id, userId: user.id, hash, expiresAt },
      replaces: passwordDigest(user),
    });
    return token;
  }

  /** The link's record; null when it is unknown, used or expired. */
  async find(token: string): Promise<PasswordReset | null> {
    const id = linkIdOf(token);
    const reset = id === null ? null : ((await this.#records.get(id))?.value ?? null);
    if (reset === null || !isLinkToken(token, reset.hash)) return null;
    return reset.expiresAt > this.#clock.now() ? reset : null;
  }

  /**
   * Runs `work` for the link's account, which uses it up; an error gives it back. Null when the link is
   * not valid, as for the second of two concurrent requests.
   */
  async use<T>(token: string, work: (reset: PasswordReset) => Promise<T>): Promise<T | null> {
    const reset = await this.find(token);
    if (reset === null || !(await this.#records.delete(reset.id))) return null;
    try {
      return await work(reset);
    } catch (error) {
      await this.#records.put(reset.id, reset);
      throw error;
    }
  }

  get #records(): RecordCollection<PasswordReset> {
    return this.#store().collection(COLLECTION);
  }
}

/** True while the account has the password that the link was sent for. */
export function isCurrentReset(reset: PasswordReset, user: User): boolean {
  return reset.replaces === passwordDigest(user);
}
