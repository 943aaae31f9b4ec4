import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "#kernel";
import { ulid } from "ulid";
import type { RecordCollection, RecordStore } from "../../records/contract.js";
import { idCollection, SecretEntries, onceFormat } from "./secret-entries.js";
import type { User } from "../../users/contract.js";
import { passwordDigest } from "./totp.js";

/** Lifetime of an invitation. */
export const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;
/** An expired invitation is listed this long, to be sent again. */
const LISTED_MS = 30 * DAY_MS;
const INVITATION_ID = /^[0-9a-f]{16}$/;

const invitationShape = z.object({
  id: z.string().regex(INVITATION_ID),
  email: z.string(),
  role: z.string(),
  /** SHA-256 of the link's token, hex. */
  hash: z.string().length(64),
  createdAt: z.number(),
  expiresAt: z.number(),
  invitedBy: z.object({ id: z.string(), name: z.string() }),
});
/** An invitation as it is stored. Times are Unix ms. */
export type Invitation = z.infer<typeof invitationShape>;

const INVITATIONS = idCollection<Invitation>(
  { name: "invitations", key: INVITATION_ID },
  invitationShape,
);

/** Invitations to the panel, each accepted at most once. */
export class Invitations {
  readonly #links: SecretEntries<Invitation>;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#links = new SecretEntries({ store, clock, collection: INVITATIONS, format: onceFormat });
    this.#clock = clock;
  }

  /** Replaces earlier invitations of the address. Returns the token of the link. */
  async create(
    invited: Pick<Invitation, "email" | "role" | "invitedBy">,
  ): Promise<{ invitation: Invitation; token: string }> {
    for (const { id, email } of await this.list()) {
      if (email === invited.email) await this.revoke(id);
    }
    return this.#write({ ...invited, id: randomBytes(8).toString("hex") });
  }

  /** A new link for the same person; the former one ends. Null: no such invitation. */
  async renew(id: string): Promise<{ invitation: Invitation; token: string } | null> {
    const stored = await this.#entries.get(id);
    // Taken first: an invitation that is accepted meanwhile must not come back.
    if (stored === null || !(await this.#entries.delete(id))) return null;
    return this.#write(stored.value);
  }

  /** The newest first; also those that expired lately. */
  async list(): Promise<readonly Invitation[]> {
    const now = this.#clock.now();
    const { items } = await this.#entries.list();
    const all = items.map(({ value }) => value);
    for (const { id, expiresAt } of all) {
      if (expiresAt + LISTED_MS <= now) await this.revoke(id);
    }
    return all
      .filter(({ expiresAt }) => expiresAt + LISTED_MS > now)
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
  }

  /** False: no such invitation. */
  revoke(id: string): Promise<boolean> {
    return this.#entries.delete(id);
  }

  /** The invitation of a link; null when the link is unknown, used, revoked or expired. */
  find(token: string): Promise<Invitation | null> {
    return this.#links.find(token);
  }

  /**
   * Runs `work` for the invitation of a link, which is used up then; an error gives it back. Null when
   * the link is not valid, as for the second of two concurrent requests.
   */
  accept<T>(token: string, work: (invitation: Invitation) => Promise<T>): Promise<T | null> {
    return this.#links.use(token, work);
  }

  async #write(
    invited: Pick<Invitation, "id" | "email" | "role" | "invitedBy">,
  ): Promise<{ invitation: Invitation; token: string }> {
    const { id, email, role, invitedBy } = invited;
    const createdAt = this.#clock.now();
    const expiresAt = createdAt + INVITATION_DAYS * DAY_MS;
    const { entry, token } = await this.#links.issue(id, (hash) => {
      return { id, email, role, hash, createdAt, expiresAt, invitedBy };
    });
    return { invitation: entry, token };
  }

  get #entries(): RecordCollection<Invitation> {
    return this.#links.entries;
  }
}

/** Lifetime of a link. */
export const RESET_MINUTES = 60;
const RESET_MS = RESET_MINUTES * 60_000;

const resetShape = z.object({
  id: z.string(),
  userId: z.string(),
  /** SHA-256 of the link's token, hex. */
  hash: z.string().length(64),
  /** Digest of the password's hash: another password ends the link. */
  replaces: z.string(),
  expiresAt: z.number(),
});
/** A link that resets a password, as it is stored. */
export type PasswordReset = z.infer<typeof resetShape>;

const RESETS = idCollection<PasswordReset>(
  { name: "password-resets", key: /^[0-9A-HJKMNP-TV-Z]{26}$/, byDay: true },
  resetShape,
);

/** Links that set a forgotten password, each at most once. */
export class PasswordResets {
  readonly #links: SecretEntries<PasswordReset>;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#links = new SecretEntries({ store, clock, collection: RESETS, format: onceFormat });
    this.#clock = clock;
  }

  /** Returns the token of the link. */
  async create(user: User): Promise<string> {
    const now = this.#clock.now();
    await this.#links.entries.prune(now - RESET_MS);
    const id = ulid(now);
    const replaces = passwordDigest(user);
    const { token } = await this.#links.issue(id, (hash) => {
      return { id, userId: user.id, hash, replaces, expiresAt: now + RESET_MS };
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

/** Lifetime of the link that confirms a new address. */
export const EMAIL_CHANGE_HOURS = 24;
const EMAIL_CHANGE_MS = EMAIL_CHANGE_HOURS * 3_600_000;

const emailShape = z.object({
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
export type EmailChange = z.infer<typeof emailShape>;

const EMAIL_CHANGES = idCollection<EmailChange>(
  { name: "email-changes", key: /^[0-9A-HJKMNP-TV-Z]{26}$/, byDay: true },
  emailShape,
);

/** New addresses of accounts, which apply once the link in a mail to them was opened. */
export class EmailChanges {
  readonly #links: SecretEntries<EmailChange>;
  readonly #clock: Clock;

  constructor(store: RecordStore, clock: Clock) {
    this.#links = new SecretEntries({
      store,
      clock,
      collection: EMAIL_CHANGES,
      format: onceFormat,
    });
    this.#clock = clock;
  }

  /** Replaces an earlier change of the account. Returns the token of the link. */
  async create(user: User, to: string): Promise<string> {
    const now = this.#clock.now();
    await this.#links.entries.prune(now - EMAIL_CHANGE_MS);
    await this.forget(user.id);
    const id = ulid(now);
    const { token } = await this.#links.issue(id, (hash) => ({
      id,
      userId: user.id,
      from: user.email,
      to,
      password: passwordDigest(user),
      hash,
      expiresAt: now + EMAIL_CHANGE_MS,
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
    for (const { id } of await this.#of(userId)) await this.#links.entries.delete(id);
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
    const { items } = await this.#links.entries.list();
    return items.map(({ value }) => value).filter((change) => change.userId === userId);
  }
}

/** True while the account has the address and the password that the change was requested with. */
export function isCurrentChange(change: EmailChange, user: User): boolean {
  const isSame = change.from === user.email && change.password === passwordDigest(user);
  return isSame && user.enabled !== false;
}
