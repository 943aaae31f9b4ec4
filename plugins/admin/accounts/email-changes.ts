import { ulid } from "ulid";
import { z } from "zod";
import type { Clock } from "#kernel";
import type { RecordStore } from "../../records/contract.js";
import type { User } from "../../users/contract.js";
import { idCollection, LinkRecords, onceFormat } from "./link-records.js";
import { passwordDigest } from "./login-step.js";

/** Lifetime of the link that confirms a new address. */
export const EMAIL_CHANGE_HOURS = 24;
const LIFETIME_MS = EMAIL_CHANGE_HOURS * 3_600_000;

const shape = z.object({
  id: z.string(),
  userId: z.string(),
  /** The address that the account had: another change ends this one. */
  from: z.string(),
  to: z.string(),
  /** Digest of the password's hash: another password ends the change. */
  password: z.string(),
  /** SHA-256 of the link's token, hex. */
  hash: z.string().length(64),
  expiresAt: z.number(),
});
/** A new address that its owner has not confirmed yet, as it is stored. */
export type EmailChange = z.infer<typeof shape>;

const COLLECTION = idCollection<EmailChange>(
  { name: "email-changes", key: /^[0-9A-HJKMNP-TV-Z]{26}$/, byDay: true },
  shape,
);

/** New addresses of accounts, which apply once the link in a mail to them was opened. */
export class EmailChanges {
  readonly #links: LinkRecords<EmailChange>;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#links = new LinkRecords({ store, clock, collection: COLLECTION, format: onceFormat });
    this.#clock = clock;
  }

  /** Replaces an earlier change of the account. Returns the token of the link. */
  async create(user: User, to: string): Promise<string> {
    const now = this.#clock.now();
    await this.#links.records.prune(now - LIFETIME_MS);
    await this.forget(user.id);
    const id = ulid(now);
    const { token } = await this.#links.issue(id, (hash) => ({
      id,
      userId: user.id,
      from: user.email,
      to,
      password: passwordDigest(user),
      hash,
      expiresAt: now + LIFETIME_MS,
    }));
    return token;
  }

  /** The address that waits for its confirmation; null without one. */
  async pending(user: User): Promise<string | null> {
    const now = this.#clock.now();
    const changes = await this.#of(user.id);
    const open = changes.find((one) => one.expiresAt > now && isCurrentChange(one, user));
    return open?.to ?? null;
  }

  /** Ends the changes of an account. */
  async forget(userId: string): Promise<void> {
    for (const { id } of await this.#of(userId)) await this.#links.records.delete(id);
  }

  /** The change of a link; null when the link is unknown, used or expired. */
  find(token: string): Promise<EmailChange | null> {
    return this.#links.find(token);
  }

  /** Runs `work` for the change of a link, which uses it up; an error gives it back. Null: not valid. */
  use<T>(token: string, work: (change: EmailChange) => Promise<T>): Promise<T | null> {
    return this.#links.use(token, work);
  }

  async #of(userId: string): Promise<EmailChange[]> {
    const { items } = await this.#links.records.list();
    return items.map(({ value }) => value).filter((change) => change.userId === userId);
  }
}

/** True while the account has the address and the password that the change was requested with. */
export function isCurrentChange(change: EmailChange, user: User): boolean {
  const isSame = change.from === user.email && change.password === passwordDigest(user);
  return isSame && user.enabled !== false;
}
