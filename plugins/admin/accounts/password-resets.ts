import { ulid } from "ulid";
import { z } from "zod";
import type { Clock } from "#kernel";
import type { RecordStore } from "../../records/contract.js";
import type { User } from "../../users/contract.js";
import { idCollection, LinkRecords, onceFormat } from "./link-records.js";
import { passwordDigest } from "./login-step.js";

/** Lifetime of a link. */
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

const COLLECTION = idCollection<PasswordReset>(
  { name: "password-resets", key: /^[0-9A-HJKMNP-TV-Z]{26}$/, byDay: true },
  shape,
);

/** Links that set a forgotten password, each at most once. */
export class PasswordResets {
  readonly #links: LinkRecords<PasswordReset>;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#links = new LinkRecords({ store, clock, collection: COLLECTION, format: onceFormat });
    this.#clock = clock;
  }

  /** Returns the token of the link. */
  async create(user: User): Promise<string> {
    const now = this.#clock.now();
    await this.#links.records.prune(now - LIFETIME_MS);
    const id = ulid(now);
    const replaces = passwordDigest(user);
    const { token } = await this.#links.issue(id, (hash) => {
      return { id, userId: user.id, hash, replaces, expiresAt: now + LIFETIME_MS };
    });
    return token;
  }

  /** The link's record; null when it is unknown, used or expired. */
  find(token: string): Promise<PasswordReset | null> {
    return this.#links.find(token);
  }

  /**
   * Runs `work` for the link's account, which uses it up; an error gives it back. Null when the link is
   * not valid, as for the second of two concurrent requests.
   */
  use<T>(token: string, work: (reset: PasswordReset) => Promise<T>): Promise<T | null> {
    return this.#links.use(token, work);
  }
}

/** True while the account has the password that the link was sent for. */
export function isCurrentReset(reset: PasswordReset, user: User): boolean {
  return reset.replaces === passwordDigest(user);
}
