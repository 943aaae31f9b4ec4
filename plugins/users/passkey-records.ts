import { z } from "zod";
import type { Clock } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { CollectionDefinition, RecordCollection, RecordStore } from "../records/contract.js";
import type { SessionKind } from "../session/contract.js";

/** Passkeys per account. */
export const MAX_PASSKEYS = 20;

const passkeyShape = z.object({
  /** The credential's id, base64url. */
  id: z.string(),
  name: z.string(),
  /** COSE, base64url. */
  publicKey: z.string(),
  counter: z.int(),
  transports: z.array(z.string()),
  /** True: the device copies it to others of its owner. */
  synced: z.boolean(),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
});
/** A passkey as it is stored. Times are Unix ms. */
export type StoredPasskey = z.infer<typeof passkeyShape>;

const accountShape = z.object({ userId: z.string(), passkeys: z.array(passkeyShape) });
type AccountPasskeys = z.infer<typeof accountShape>;

const NAMES = { admin: "panel-passkeys", visitor: "visitor-passkeys" } as const;

/**
 * Passkeys of accounts, for one kind of session. They are records, not fields of accounts, so that
 * every user store works.
 */
export class PasskeyRecords {
  readonly #collection: CollectionDefinition<AccountPasskeys>;
  readonly #kind: SessionKind;
  readonly #store: RecordStore;
  readonly #clock: Clock;

  constructor(kind: SessionKind, store: RecordStore, clock: Clock) {
    this.#kind = kind;
    this.#store = store;
    this.#clock = clock;
    this.#collection = {
      name: NAMES[kind],
      key: /^[0-9a-f]{64}$/,
      parse: (value) => accountShape.safeParse(value).data ?? null,
    };
  }

  /**
   * The name under which authenticators store an account: a digest, so that it tells nothing. It
   * differs by kind, since an authenticator keeps one passkey per site and name.
   */
  handleOf(userId: string): string {
    return sha256(this.#kind === "admin" ? userId : `${this.#kind} ${userId}`);
  }

  /** The oldest first. */
  async list(userId: string): Promise<readonly StoredPasskey[]> {
    return (await this.#records.get(this.handleOf(userId)))?.value.passkeys ?? [];
  }

  /** Null when the account has the passkey, or too many. */
  async add(
    userId: string,
    added: Omit<StoredPasskey, "createdAt" | "lastUsedAt">,
  ): Promise<StoredPasskey | null> {
    const passkey = { ...added, createdAt: this.#clock.now(), lastUsedAt: null };
    let isAdded = false;
    await this.#records.update(this.handleOf(userId), (stored) => {
      const passkeys = stored?.passkeys ?? [];
      isAdded = passkeys.length < MAX_PASSKEYS && passkeys.every(({ id }) => id !== added.id);
      return isAdded ? { userId, passkeys: [...passkeys, passkey] } : null;
    });
    return isAdded ? passkey : null;
  }

  /** The renamed passkey; null: no such passkey. */
  async rename(userId: string, id: string, name: string): Promise<StoredPasskey | null> {
    let renamed: StoredPasskey | null = null;
    await this.#records.update(this.handleOf(userId), (stored) => {
      const passkey = stored?.passkeys.find((each) => each.id === id);
      if (stored === null || passkey === undefined) return null;
      const next = { ...passkey, name };
      renamed = next;
      return { userId, passkeys: stored.passkeys.map((each) => (each.id === id ? next : each)) };
    });
    return renamed;
  }

  /** False: no such passkey. */
  async remove(userId: string, id: string): Promise<boolean> {
    let isRemoved = false;
    await this.#records.update(this.handleOf(userId), (stored) => {
      const passkeys = stored?.passkeys.filter((each) => each.id !== id) ?? [];
      isRemoved = stored !== null && passkeys.length < stored.passkeys.length;
      return isRemoved ? { userId, passkeys } : null;
    });
    return isRemoved;
  }

  /** The passkey of a login, and its account; null when it is unknown. */
  async find(
    handle: string,
    id: string,
  ): Promise<{ userId: string; passkey: StoredPasskey } | null> {
    const stored = (await this.#records.get(handle))?.value;
    const passkey = stored?.passkeys.find((each) => each.id === id);
    return stored === undefined || passkey === undefined
      ? null
      : { userId: stored.userId, passkey };
  }

  /**
   * Notes a login. False when the counter did not grow: a copy of the authenticator may exist
   * (WebAuthn, 6.1.1).
   */
  async use(userId: string, id: string, counter: number): Promise<boolean> {
    const lastUsedAt = this.#clock.now();
    let isUsed = false;
    await this.#records.update(this.handleOf(userId), (stored) => {
      const passkey = stored?.passkeys.find((each) => each.id === id);
      isUsed =
        passkey !== undefined && (counter > passkey.counter || counter + passkey.counter === 0);
      if (stored === null || !isUsed) return null;
      const passkeys = stored.passkeys.map((each) =>
        each.id === id ? { ...each, counter, lastUsedAt } : each,
      );
      return { userId, passkeys };
    });
    return isUsed;
  }

  /** Deletes the passkeys of a deleted account. */
  async forget(userId: string): Promise<void> {
    await this.#records.delete(this.handleOf(userId));
  }

  get #records(): RecordCollection<AccountPasskeys> {
    return this.#store.collection(this.#collection);
  }
}
