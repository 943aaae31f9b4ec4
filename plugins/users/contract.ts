/** What others may know of accounts: the record, the services, the contracts of the stores. */
import type { CreateHook, NotifyHook } from "#kernel";

/** A further identity of an account, added while logged in. */
export interface LinkedIdentity {
  readonly provider: string;
  readonly providerId: string;
  /** Unix ms. */
  readonly linkedAt: number;
}
/**
 * An account, of a visitor or of the admin panel (specification: User). Times are Unix ms.
 * E-mail addresses are kept in lower case.
 */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name?: string | undefined;
  readonly avatarUrl?: string | undefined;
  readonly username?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly roles: readonly string[];
  /** How the account came to be: a provider's slug, `magic`, `jwt` or `local`. */
  readonly provider: string;
  readonly providerId?: string | undefined;
  readonly linkedProviders: readonly LinkedIdentity[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastSeenAt: number;
  readonly paymentCustomerId?: string | undefined;
  /** False: cannot log in, and sessions count no more. Absent: true. */
  readonly enabled?: boolean | undefined;
}
/** An account as others may see it (specification: GET /auth/me). */
export interface PublicUser {
  id: string;
  email: string;
  name: string | null;
  avatarUrl: string | null;
  roles: readonly string[];
  provider: string;
  createdAt: number;
  linkedProviders: readonly string[];
}
/** What a new account may be given; the front adds id and times. */
export type NewUser = Omit<
  User,
  "id" | "createdAt" | "updatedAt" | "lastSeenAt" | "linkedProviders" | "roles"
> & { readonly roles?: readonly string[] };
/** Makes the next record out of the last; id and createdAt stay whatever it answers. */
export type UserChange = (user: User) => User;

/**
 * Where accounts are kept. E-mail (any case), username (any case) and each identity (provider and
 * providerId, signup and linked ones) belong to one account at most, also when two processes
 * write at once. A write is there completely or not at all, also after a crash.
 */
export interface UserStore {
  /** True: `create` answers a record that is not kept; it lives in the session alone. */
  readonly isStateless?: boolean;
  /** Throws ERR_USER_EMAIL_TAKEN, ERR_USER_IDENTITY_TAKEN, ERR_USER_USERNAME_TAKEN. */
  create(user: User): Promise<User>;
  get(id: string): Promise<User | null>;
  findByEmail(email: string): Promise<User | null>;
  findByUsername(username: string): Promise<User | null>;
  /** By the signup identity or a linked one. */
  findByIdentity(provider: string, providerId: string): Promise<User | null>;
  /**
   * Reads, changes and writes as one step; answers what was written, null for an unknown id. A
   * `change` that answers its argument writes nothing; what it throws ends the update. It may be
   * called more than once. Throws what `create` throws.
   */
  update(id: string, change: UserChange): Promise<User | null>;
  /** The record that was there, or null. */
  delete(id: string): Promise<User | null>;
  /** By `createdAt`, then id. */
  list(range: { limit: number; offset: number }): Promise<readonly User[]>;
  count(): Promise<number>;
  close?(): Promise<void>;
}

/** Who has which relation to what: `{ user, relation: "member", object: "role:editor" }`. */
export interface Tuple {
  readonly user: string;
  readonly relation: string;
  readonly object: string;
  /** Hex HMAC-SHA256 over the other three, with SITE_AUTHZ_HMAC_SECRET. */
  readonly hmac?: string | undefined;
}
/** All tuples of one user, and which roles they were seeded from. */
export interface AuthzRecord {
  readonly user: string;
  /** Fingerprint of the roles that were seeded last; null before. */
  readonly fingerprint: string | null;
  readonly tuples: readonly Tuple[];
  /** Unix ms when the identity provider deleted the user; absent: it has not. */
  readonly endedAt?: number | undefined;
  /** The reports of the last day that said so. A store that drops them knows no report again. */
  readonly endedBy?: readonly SeenReport[] | undefined;
}
/** A report that has been followed: its digest, and when it was sent, Unix ms. */
export interface SeenReport {
  readonly digest: string;
  readonly at: number;
}
/** Who asks for roles, and what is said of them. */
export interface RoleClaim extends Pick<User, "id" | "roles"> {
  /**
   * When an identity provider has vouched for the roles, Unix ms; null: it does not say. Absent: they
   * are those of our own record.
   */
  readonly vouchedAt?: number | null | undefined;
}
/** Where authorization tuples are kept. */
export interface AuthzStore {
  get(user: string): Promise<AuthzRecord | null>;
  /** Reads, changes and writes as one step. A `change` that answers its argument writes nothing. */
  update(user: string, change: (record: AuthzRecord) => AuthzRecord): Promise<AuthzRecord>;
  /** Every user with a record, in no order. */
  users(): Promise<readonly string[]>;
  close?(): Promise<void>;
}

/** Roles and relations of accounts: the authority for gating. */
export interface AuthzService {
  /** False in mode `external-jwt` without `authzStore`: roles are then what the caller says. */
  readonly isActive: boolean;
  /**
   * The roles a user has now. Roles that differ from those seeded last are seeded first; a
   * revocation stays until they change. Roles given by a tuple of relation `granted` stand beside
   * them, whatever is seeded. `record`: what `recordOf` has answered, when it was asked before.
   */
  rolesOf(user: RoleClaim, record?: Promise<AuthzRecord | null>): Promise<readonly string[]>;
  /** What is kept of a user; null when there is nothing. */
  recordOf(userId: string): Promise<AuthzRecord | null>;
  /** True when the tuple is there (and rightly signed, when signing is on). */
  check(tuple: Omit<Tuple, "hmac">): Promise<boolean>;
  grant(tuple: Omit<Tuple, "hmac">): Promise<void>;
  revoke(tuple: Omit<Tuple, "hmac">): Promise<boolean>;
  /** Removes every tuple of a user; answers how many. */
  revokeAll(userId: string): Promise<number>;
  /**
   * Removes every tuple of a user whom their identity provider deleted at `at` (Unix ms); answers how
   * many. What was vouched for before that never counts again: roles come back with what the provider
   * says later. The same report twice has one effect: by its time, and within a day by `digest`,
   * whatever time comes with it.
   */
  endUser(userId: string, at: number, digest?: string): Promise<number>;
  /** Signs what is not signed yet; answers how many tuples. */
  sign(options: { dryRun: boolean }): Promise<number>;
}

/** A profile as an identity provider has vouched for it. */
export interface ProviderProfile {
  provider: string;
  /** Absent for `magic`. */
  providerId?: string;
  /** Verified by whoever hands it over. */
  email: string;
  name?: string | undefined;
  avatarUrl?: string | undefined;
}
/** What became of a login by a provider or a link. */
export type UpsertOutcome =
  | { kind: "created" | "found"; user: User }
  /** The address belongs to an account made by another method; link it while logged in. */
  | { kind: "email_taken" }
  | { kind: "disabled" };
/** What became of linking an identity. */
export type LinkOutcome =
  { kind: "linked" | "already_linked"; user: User } | { kind: "linked_elsewhere"; owner: User };

/** Accounts of visitors and admins. Methods throw ERR_USER_STORE_DOWN (503) when the store fails. */
export interface UsersService {
  /** True: visitors are not kept (`auth.userStore: session`); put the record into the session. */
  readonly isStateless: boolean;
  get(id: string): Promise<User | null>;
  findByEmail(email: string): Promise<User | null>;
  findByUsername(username: string): Promise<User | null>;
  findByIdentity(provider: string, providerId: string): Promise<User | null>;
  list(range?: { limit?: number; offset?: number }): Promise<readonly User[]>;
  count(): Promise<number>;
  /**
   * Throws ERR_USER_EMAIL_INVALID (400), ERR_USER_USERNAME_INVALID (400), ERR_USER_ROLE_INVALID
   * (400) and, all 409, ERR_USER_EMAIL_TAKEN, ERR_USER_IDENTITY_TAKEN, ERR_USER_USERNAME_TAKEN.
   */
  create(user: NewUser): Promise<User>;
  /** Throws ERR_USER_UNKNOWN (404) and what `create` throws. */
  update(id: string, change: UserChange): Promise<User>;
  /** Ends the account, its sessions and its tuples. False when it was not there. */
  delete(id: string): Promise<boolean>;
  /**
   * The account of a vouched-for profile, made at the first login. Found by identity; for `magic`
   * by e-mail, whatever made the account. Many first logins at once make one account.
   */
  upsertFromProvider(profile: ProviderProfile): Promise<UpsertOutcome>;
  /** Adds an identity to an account unless somebody has it. Throws ERR_USER_UNKNOWN. */
  linkIdentity(id: string, identity: Omit<LinkedIdentity, "linkedAt">): Promise<LinkOutcome>;
  /**
   * Removes a linked identity. Throws, all 400, ERR_USER_IDENTITY_SIGNUP, ERR_USER_IDENTITY_UNKNOWN
   * and, when it is the last linked one and `keepLast` is set, ERR_USER_IDENTITY_LAST.
   */
  unlinkIdentity(id: string, provider: string, options: { keepLast: boolean }): Promise<User>;
  /** Notes that the user was here: `lastSeenAt` alone, every five minutes at most. */
  touch(user: User): Promise<void>;
  grantRole(id: string, role: string): Promise<User>;
  revokeRole(id: string, role: string): Promise<User>;
  /** The user's roles now: of the authz store when there is one, else of the record. */
  rolesOf(user: RoleClaim): Promise<readonly string[]>;
  /**
   * An account and its roles now, asked of both stores at once; null when it is gone. One that is
   * switched off has none.
   */
  withRoles(id: string): Promise<{ user: User; roles: readonly string[] } | null>;
  /** Hashes with argon2id. Throws ERR_USER_PASSWORD_WEAK (400). Ends the user's sessions. */
  setPassword(id: string, password: string): Promise<User>;
  /**
   * The account that this username or e-mail address and password belong to. Takes as long for
   * an unknown account as for a known one.
   */
  verifyPassword(login: string, password: string): Promise<User | null>;
  public(user: User): PublicUser;
}

/** Payload of `onUserStoreCreate`. */
export interface UserStoreCreate {
  register(name: string, store: UserStore): void;
  /** Makes a registered store the one in use, whatever the config says. */
  activate(name: string): void;
  registerAuthz(name: string, store: AuthzStore): void;
  activateAuthz(name: string): void;
  readonly settings: { userStore: string; authzStore: string | null };
}

declare module "#kernel" {
  interface Services {
    users: UsersService;
    authz: AuthzService;
  }
  interface Engines {
    userStore: UserStore;
    authzStore: AuthzStore;
  }
  interface HookMap {
    onUserStoreCreate: CreateHook<UserStoreCreate>;
    onUserCreate: NotifyHook<{ user: PublicUser }>;
    onUserDelete: NotifyHook<{ user: PublicUser }>;
  }
}
