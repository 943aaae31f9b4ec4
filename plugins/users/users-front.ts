import { randomBytes } from "node:crypto";
import { HttpError, type Clock, type Hooks, type Logger } from "#kernel";
import { parseEmailAddress } from "#lib/text";
import type {
  LinkedIdentity,
  LinkOutcome,
  NewUser,
  ProviderProfile,
  PublicUser,
  RoleClaim,
  UpsertOutcome,
  User,
  UserChange,
  UsersService,
  UserStore,
} from "./contract.js";
import type { AuthzFront } from "./authz-front.js";
import { Identities } from "./identities.js";
import type { Passwords } from "./password.js";
import { throughFront } from "./stores.js";
import { checkedRole, cleanUser, publicUser } from "./user-fields.js";

/** Shortest interval between two updates of `lastSeenAt`. */
const TOUCH_MS = 5 * 60_000;
const LIST_LIMIT = 100;

/** Dependencies of the front. */
export interface FrontOptions {
  store(): UserStore;
  authz: AuthzFront;
  passwords: Passwords;
  clock: Clock;
  hooks: Pick<Hooks, "notify">;
  log: Logger;
  /** Ends all sessions of a user; does nothing without the session plugin. */
  endSessions(userId: string): Promise<void>;
}

/** Accounts as other plugins see them, backed by the active store. */
export class UsersFront implements UsersService {
  readonly #options: FrontOptions;
  readonly #identities: Identities;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#identities = new Identities({
      store: options.store,
      clock: options.clock,
      create: (user) => this.create(user),
      update: (id, change) => this.update(id, change),
    });
  }

  get isStateless(): boolean {
    return this.#options.store().isStateless === true;
  }

  get(id: string): Promise<User | null> {
    return this.#ask((store) => store.get(id));
  }

  async findByEmail(value: string): Promise<User | null> {
    // Only valid addresses reach the store: nothing that Unicode folding turns into another
    // address.
    const email = parseEmailAddress(value);
    return email === null ? null : this.#ask((store) => store.findByEmail(email));
  }

  findByUsername(username: string): Promise<User | null> {
    return this.#ask((store) => store.findByUsername(username));
  }

  findByIdentity(provider: string, providerId: string): Promise<User | null> {
    return this.#ask((store) => store.findByIdentity(provider, providerId));
  }

  list({ limit = LIST_LIMIT, offset = 0 } = {}): Promise<readonly User[]> {
    return this.#ask((store) => store.list({ limit, offset }));
  }

  count(): Promise<number> {
    return this.#ask((store) => store.count());
  }

  async create(user: NewUser): Promise<User> {
    const now = this.#options.clock.now();
    const times = { createdAt: now, updatedAt: now, lastSeenAt: now };
    const clean = cleanUser({ ...user, roles: user.roles ?? [] });
    const record: User = { ...clean, id: this.#newId(clean), linkedProviders: [], ...times };
    const created = await this.#ask((store) => store.create(withoutUndefined(record)));
    if (this.#isStored(created)) {
      this.#options.hooks.notify("onUserCreate", { user: publicUser(created) });
    }
    return created;
  }

  async update(id: string, change: UserChange): Promise<User> {
    const updatedAt = this.#options.clock.now();
    const updated = await this.#ask((store) =>
      store.update(id, (user) => {
        const next = change(user);
        return next === user ? user : withoutUndefined({ ...cleanUser(next), updatedAt });
      }),
    );
    if (updated === null) throw unknownUser(id);
    return updated;
  }

  async delete(id: string): Promise<boolean> {
    const deleted = await this.#ask((store) => store.delete(id));
    // Also for a deleted account: a first attempt may have failed half-way.
    await this.#options.authz.revokeAll(id);
    await this.#options.endSessions(id);
    if (deleted === null) return false;
    this.#options.hooks.notify("onUserDelete", { user: publicUser(deleted) });
    return true;
  }

  upsertFromProvider(profile: ProviderProfile): Promise<UpsertOutcome> {
    return this.#identities.upsert(profile);
  }

  linkIdentity(id: string, identity: Omit<LinkedIdentity, "linkedAt">): Promise<LinkOutcome> {
    return this.#identities.link(id, identity);
  }

  unlinkIdentity(id: string, provider: string, options: { keepLast: boolean }): Promise<User> {
    return this.#identities.unlink(id, provider, options);
  }

  async touch({ id, createdAt, lastSeenAt }: User): Promise<void> {
    const now = this.#options.clock.now();
    // The first visit counts at once: until then, the account was never active.
    const isRecent = lastSeenAt > createdAt && now - lastSeenAt < TOUCH_MS;
    if (isRecent || this.isStateless) return;
    await this.#ask((store) =>
      store.update(id, (user) => (user.lastSeenAt >= now ? user : { ...user, lastSeenAt: now })),
    );
  }

  async grantRole(id: string, role: string): Promise<User> {
    const name = checkedRole(role);
    const user = await this.update(id, (stored) =>
      stored.roles.includes(name) ? stored : { ...stored, roles: [...stored.roles, name] },
    );
    await this.#options.authz.rolesOf(user);
    return user;
  }

  async revokeRole(id: string, role: string): Promise<User> {
    const user = await this.update(id, (stored) =>
      stored.roles.includes(role)
        ? { ...stored, roles: stored.roles.filter((existing) => existing !== role) }
        : stored,
    );
    await this.#options.authz.rolesOf(user);
    return user;
  }

  rolesOf(user: RoleClaim): Promise<readonly string[]> {
    return this.#options.authz.rolesOf(user);
  }

  async withRoles(id: string): Promise<{ user: User; roles: readonly string[] } | null> {
    const { authz } = this.#options;
    const record = authz.recordOf(id);
    // Avoids an unhandled rejection if it is never awaited.
    record.catch(() => undefined);
    const user = await this.get(id);
    if (user === null) return null;
    const roles = user.enabled === false ? [] : await authz.rolesOf(user, record);
    return { user, roles };
  }

  async setPassword(id: string, password: string): Promise<User> {
    const user = await this.get(id);
    if (user === null) throw unknownUser(id);
    const { email, username = "" } = user;
    const passwordHash = await this.#options.passwords.hash(password, [email, username]);
    const updated = await this.update(id, (stored) => ({ ...stored, passwordHash }));
    await this.#options.endSessions(id);
    return updated;
  }

  async verifyPassword(login: string, password: string): Promise<User | null> {
    const user = await (login.includes("@") ? this.findByEmail(login) : this.findByUsername(login));
    const matches = await this.#options.passwords.verify(user?.passwordHash, password);
    return matches && user !== null && user.enabled !== false ? user : null;
  }

  public(user: User): PublicUser {
    return publicUser(user);
  }

  #ask<T>(work: (store: UserStore) => Promise<T>): Promise<T> {
    return throughFront(async () => work(this.#options.store()));
  }

  #isStored({ provider }: NewUser): boolean {
    return !this.isStateless || provider === "local";
  }

  /** Visitors that are not stored get the same id at every login. */
  #newId(user: NewUser): string {
    const { provider, providerId, email } = user;
    if (this.#isStored(user)) return randomBytes(16).toString("hex");
    return providerId === undefined ? `${provider}:${email}` : `${provider}:${providerId}`;
  }
}

function unknownUser(id: string): HttpError {
  return new HttpError(404, `no account ${JSON.stringify(id.slice(0, 128))}`, {
    code: "ERR_USER_UNKNOWN",
  });
}

/** Stores treat `undefined` differently, so they never see it. */
function withoutUndefined(user: User): User {
  const entries = Object.entries(user).filter(([, value]) => value !== undefined);
  const { id, email, roles, provider, linkedProviders, createdAt, updatedAt, lastSeenAt } = user;
  return {
    id,
    email,
    roles,
    provider,
    linkedProviders,
    createdAt,
    updatedAt,
    lastSeenAt,
    ...Object.fromEntries(entries),
  };
}
