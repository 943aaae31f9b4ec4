import { createHmac } from "node:crypto";
import { type Logger, constantTimeEqual, SiteError } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { AuthzRecord, AuthzService, AuthzStore, RoleClaim, Tuple } from "./contract.js";
import { throughFront } from "./stores.js";

/** Relation of seeded roles, and of roles granted in addition. */
const MEMBER = "member";
const GRANTED = "granted";
/** Tolerated clock skew of a provider, in ms. */
const LEEWAY_MS = 60_000;
const ROLE = "role:";
/** How long a report is recognised by its digest, in ms, and how many are remembered per user. */
const SEEN_MS = 24 * 3_600_000;
const REPORTS = 32;

/** Dependencies of the front. */
export interface AuthzOptions {
  /** Null: use the caller's roles. */
  store(): AuthzStore | null;
  signature: TupleSignature;
  log: Logger;
}

/** The tuples behind roles. A role is `{ user, relation: "member", object: "role:<name>" }`. */
export class AuthzFront implements AuthzService {
  readonly #options: AuthzOptions;

  constructor(options: AuthzOptions) {
    this.#options = options;
  }

  get isActive(): boolean {
    return this.#options.store() !== null;
  }

  async recordOf(userId: string): Promise<AuthzRecord | null> {
    const store = this.#options.store();
    return store === null ? null : throughFront(() => store.get(userId));
  }

  async rolesOf(user: RoleClaim, record = this.recordOf(user.id)): Promise<readonly string[]> {
    const current = await record;
    const store = this.#options.store();
    if (store === null) return user.roles;
    // An account that never had a role needs no record.
    if (current === null) return user.roles.length === 0 ? [] : this.#seeded(store, user);
    if (isOver(current, user)) return [];
    const isSeeded = current.fingerprint === fingerprint(user.roles);
    return isSeeded ? this.#roles(current) : this.#seeded(store, user);
  }

  async check(tuple: Tuple): Promise<boolean> {
    const store = this.#options.store();
    if (store === null) return false;
    const record = await throughFront(() => store.get(tuple.user));
    return record !== null && this.#valid(record).some((existing) => isSame(existing, tuple));
  }

  async grant(tuple: Tuple): Promise<void> {
    const signed = this.#options.signature.sign(tuple);
    await this.#update(tuple.user, (record) => {
      const others = record.tuples.filter((existing) => !isSame(existing, tuple));
      return { ...record, tuples: [...others, signed] };
    });
  }

  async revoke(tuple: Tuple): Promise<boolean> {
    return (await this.#remove(tuple.user, (existing) => isSame(existing, tuple))) > 0;
  }

  revokeAll(userId: string): Promise<number> {
    return this.#remove(userId, () => true);
  }

  async endUser(userId: string, at: number, digest?: string): Promise<number> {
    let removed = 0;
    await this.#update(userId, (record) => {
      const { endedAt = -Infinity, endedBy = [] } = record;
      // A repeated report changes nothing, even if the user has returned since.
      const seen = endedBy.filter((report) => at - report.at < SEEN_MS);
      if (endedAt >= at || seen.some((report) => report.digest === digest)) return record;
      removed = record.tuples.length;
      const reports = digest === undefined ? seen : [...seen, { digest, at }];
      const ended = { ...record, fingerprint: null, tuples: [], endedAt: at };
      return { ...ended, endedBy: reports.slice(-REPORTS) };
    });
    return removed;
  }

  async sign({ dryRun }: { dryRun: boolean }): Promise<number> {
    const store = this.#options.store();
    if (store === null) return 0;
    let signed = 0;
    for (const user of await throughFront(() => store.users())) {
      const record = await throughFront(() => store.get(user));
      const unsigned = (record?.tuples ?? []).filter(({ hmac }) => hmac === undefined);
      signed += unsigned.length;
      if (!dryRun && unsigned.length > 0)
        await this.#update(user, (stored) => this.#signed(stored));
    }
    return signed;
  }

  /**
   * The roles after seeding: replaces role tuples with `user.roles`; keeps tuples of other
   * relations.
   */
  async #seeded(store: AuthzStore, user: RoleClaim): Promise<readonly string[]> {
    const { id, roles } = user;
    const record = await throughFront(() =>
      store.update(id, (stored) => {
        // Deleted after it was read above.
        if (isOver(stored, user)) return stored;
        const seeded = [...new Set(roles)].map((role) =>
          this.#options.signature.sign({ user: id, relation: MEMBER, object: ROLE + role }),
        );
        const others = stored.tuples.filter(({ relation }) => relation !== MEMBER);
        return { ...stored, fingerprint: fingerprint(roles), tuples: [...others, ...seeded] };
      }),
    );
    return isOver(record, user) ? [] : this.#roles(record);
  }

  async #remove(user: string, isGone: (tuple: Tuple) => boolean): Promise<number> {
    const store = this.#options.store();
    const stored = store && (await throughFront(() => store.get(user)));
    if (stored === null) return 0;
    let removed = 0;
    await this.#update(user, (record) => {
      const tuples = record.tuples.filter((tuple) => !isGone(tuple));
      removed = record.tuples.length - tuples.length;
      return removed === 0 ? record : { ...record, tuples };
    });
    return removed;
  }

  async #update(user: string, change: (record: AuthzRecord) => AuthzRecord): Promise<void> {
    const store = this.#options.store();
    if (store !== null) await throughFront(() => store.update(user, change));
  }

  #roles(record: AuthzRecord): readonly string[] {
    const roles = this.#valid(record)
      .filter(isRole)
      .map(({ object }) => object.slice(ROLE.length));
    return [...new Set(roles)].sort();
  }

  #valid(record: AuthzRecord): readonly Tuple[] {
    const valid = record.tuples.filter((tuple) =>
      this.#options.signature.isValid(tuple, record.user),
    );
    if (valid.length < record.tuples.length) {
      this.#options.log.warn("authz.tuples_ignored", {
        user: record.user,
        count: record.tuples.length - valid.length,
        fix: "the tuples are unsigned or forged: remove them, or sign your own with authz:sign",
      });
    }
    return valid;
  }

  #signed(record: AuthzRecord): AuthzRecord {
    const { signature } = this.#options;
    const tuples = record.tuples.map((tuple) =>
      tuple.hmac === undefined ? signature.sign(tuple) : tuple,
    );
    return { ...record, tuples };
  }
}

function fingerprint(roles: readonly string[]): string {
  return sha256(JSON.stringify([...new Set(roles)].sort()));
}

function isRole({ relation, object }: Tuple): boolean {
  return (relation === MEMBER || relation === GRANTED) && object.startsWith(ROLE);
}

/** True if the claim dates from before the provider deleted the user, or has no date. */
function isOver({ endedAt }: AuthzRecord, { vouchedAt }: RoleClaim): boolean {
  if (endedAt === undefined || vouchedAt === undefined) return false;
  return vouchedAt === null || vouchedAt <= endedAt + LEEWAY_MS;
}

function isSame(a: Tuple, b: Tuple): boolean {
  return a.user === b.user && a.relation === b.relation && a.object === b.object;
}

const BYTES = 32;

/** Signs and checks tuples with SITE_AUTHZ_HMAC_SECRET; without the secret every tuple is valid. */
export class TupleSignature {
  readonly #secret: string | undefined;

  /** @throws ERR_AUTHZ_SECRET for fewer than 32 bytes. */
  constructor(secret: string | undefined) {
    this.#secret = secret;
    if (secret === undefined || Buffer.byteLength(secret) >= BYTES) return;
    throw new SiteError(
      "ERR_AUTHZ_SECRET",
      `SITE_AUTHZ_HMAC_SECRET has ${Buffer.byteLength(secret)} bytes, at least ${BYTES} are needed`,
      { fix: "set it to the output of: openssl rand -hex 32" },
    );
  }

  sign({ user, relation, object }: Tuple): Tuple {
    const tuple = { user, relation, object };
    return this.#secret === undefined ? tuple : { ...tuple, hmac: signTuple(tuple, this.#secret) };
  }

  /** False for an unsigned or forged tuple, and for a tuple copied from another user. */
  isValid(tuple: Tuple, user: string): boolean {
    if (tuple.user !== user) return false;
    if (this.#secret === undefined) return true;
    return (
      tuple.hmac !== undefined && constantTimeEqual(tuple.hmac, signTuple(tuple, this.#secret))
    );
  }
}

function signTuple({ user, relation, object }: Tuple, secret: string): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify([user, relation, object]))
    .digest("hex");
}
