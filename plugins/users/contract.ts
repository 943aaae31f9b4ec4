/** Accounts as other plugins see them: the record, the services, the store contracts. */
import type { Request, Response } from "express";
import type { ZodType } from "zod";
import type { CreateHook, NotifyHook } from "#kernel";
import type { SessionKind } from "../session/contract.js";

/** An additional identity of an account, linked while logged in. */
export interface LinkedIdentity {
  readonly provider: string;
  readonly providerId: string;
  /** Unix ms. */
  readonly linkedAt: number;
}
/**
 * An account of a visitor or an admin panel user. Times are Unix ms. E-mail addresses are stored in
 * lower case.
 */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name?: string | undefined;
  readonly avatarUrl?: string | undefined;
  readonly username?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly roles: readonly string[];
  /** How the account was created: a provider's slug, `magic`, `jwt` or `local`. */
  readonly provider: string;
  readonly providerId?: string | undefined;
  readonly linkedProviders: readonly LinkedIdentity[];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastSeenAt: number;
  readonly paymentCustomerId?: string | undefined;
  /** False: cannot log in, existing sessions are ignored. Absent: true. */
  readonly enabled?: boolean | undefined;
}
/** An account as others may see it (`GET /auth/me`). */
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
/** Fields for a new account; the front adds id and times. */
export type NewUser = Omit<
  User,
  "id" | "createdAt" | "updatedAt" | "lastSeenAt" | "linkedProviders" | "roles"
> & { readonly roles?: readonly string[] };
/** Returns the next record; changes to `id` and `createdAt` are ignored. */
export type UserChange = (user: User) => User;

/**
 * Stores accounts. E-mail and username (both case-insensitive) and each identity (provider and
 * providerId, signup or linked) belong to at most one account, even with concurrent writes by two
 * processes. Writes are atomic, also across a crash.
 */
export interface UserStore {
  /** True: `create` returns a record that is not stored; it lives only in the session. */
  readonly isStateless?: boolean;
  /** @throws ERR_USER_EMAIL_TAKEN, ERR_USER_IDENTITY_TAKEN, ERR_USER_USERNAME_TAKEN. */
  create(user: User): Promise<User>;
  get(id: string): Promise<User | null>;
  findByEmail(email: string): Promise<User | null>;
  findByUsername(username: string): Promise<User | null>;
  /** Finds by the signup identity or a linked one. */
  findByIdentity(provider: string, providerId: string): Promise<User | null>;
  /**
   * Reads, changes and writes in one step. Returns the written record, or null for an unknown id.
   * The written record has the `id` and `createdAt` of the stored one, whatever `change` returns. Writes
   * nothing if `change` returns its argument. An error from `change` aborts the update. `change` may be
   * called more than once.
   * @throws what `create` throws, and what `change` throws.
   */
  update(id: string, change: UserChange): Promise<User | null>;
  /** Returns the deleted record, or null. */
  delete(id: string): Promise<User | null>;
  /** Sorted by `createdAt`, then id. */
  list(range: { limit: number; offset: number }): Promise<readonly User[]>;
  count(): Promise<number>;
  close?(): Promise<void>;
}

/** A relation of a user to an object: `{ user, relation: "member", object: "role:editor" }`. */
export interface Tuple {
  readonly user: string;
  readonly relation: string;
  readonly object: string;
  /** Hex HMAC-SHA256 over the other three fields, keyed with SITE_AUTHZ_HMAC_SECRET. */
  readonly hmac?: string | undefined;
}
/** All tuples of one user, and the roles they were seeded from. */
export interface AuthzRecord {
  readonly user: string;
  /** Fingerprint of the roles seeded last; null before the first seeding. */
  readonly fingerprint: string | null;
  readonly tuples: readonly Tuple[];
  /** Unix ms when the identity provider deleted the user; absent if it did not. */
  readonly endedAt?: number | undefined;
  /**
   * Deletion reports of the last day. A store that drops them cannot recognise repeated reports.
   */
  readonly endedBy?: readonly SeenReport[] | undefined;
}
/** A report that was applied: its digest, and when it was sent, Unix ms. */
export interface SeenReport {
  readonly digest: string;
  readonly at: number;
}
/** The user whose roles are requested, and the roles claimed for them. */
export interface RoleClaim extends Pick<User, "id" | "roles"> {
  /**
   * When an identity provider vouched for the roles, Unix ms; null: unknown. Absent: the roles come
   * from our own record.
   */
  readonly vouchedAt?: number | null | undefined;
}
/** Stores authorization tuples. */
export interface AuthzStore {
  get(user: string): Promise<AuthzRecord | null>;
  /** Reads, changes and writes in one step. Writes nothing if `change` returns its argument. */
  update(user: string, change: (record: AuthzRecord) => AuthzRecord): Promise<AuthzRecord>;
  /** Every user with a record, in no particular order. */
  users(): Promise<readonly string[]>;
  close?(): Promise<void>;
}

/**
 * Roles and relations of accounts: the authority for gating.
 *
 * @example
 * const authz = site.use("authz");
 * const membership = { user: "u1", relation: "member", object: "group:crew" };
 * await authz.grant(membership);
 * const isMember = await authz.check(membership);
 */
export interface AuthzService {
  /** False in mode `external-jwt` without `authzStore`: the caller's roles are used as they are. */
  readonly isActive: boolean;
  /**
   * The user's current roles. Roles that differ from those seeded last are seeded first; a revoked role stays revoked until the claimed roles change, and `granted` roles stay. `record`: a pending `recordOf`.
   */
  rolesOf(user: RoleClaim, record?: Promise<AuthzRecord | null>): Promise<readonly string[]>;
  /** The stored record of a user, or null. */
  recordOf(userId: string): Promise<AuthzRecord | null>;
  /** True if the tuple exists (and its signature is valid, when signing is on). */
  check(tuple: Omit<Tuple, "hmac">): Promise<boolean>;
  grant(tuple: Omit<Tuple, "hmac">): Promise<void>;
  revoke(tuple: Omit<Tuple, "hmac">): Promise<boolean>;
  /** Removes every tuple of a user; returns how many. */
  revokeAll(userId: string): Promise<number>;
  /**
   * Removes every tuple of a user whom their identity provider deleted at `at` (Unix ms); returns
   * how many. Older claims are ignored from then on. A report of the same time or `digest` has no effect.
   */
  endUser(userId: string, at: number, digest?: string): Promise<number>;
  /** Signs unsigned tuples; returns how many. */
  sign(options: { dryRun: boolean }): Promise<number>;
}

/** A profile vouched for by an identity provider. */
export interface ProviderProfile {
  provider: string;
  /** Absent for `magic`. */
  providerId?: string;
  /** Verified by the provider. */
  email: string;
  name?: string | undefined;
  avatarUrl?: string | undefined;
}
/** Result of a login by a provider or a magic link. */
export type UpsertOutcome =
  | { kind: "created" | "found"; user: User }
  /** The address belongs to an account with another login method; link it while logged in. */
  | { kind: "email_taken" }
  | { kind: "disabled" };
/** Result of linking an identity. */
export type LinkOutcome =
  { kind: "linked" | "already_linked"; user: User } | { kind: "linked_elsewhere"; owner: User };

/**
 * Accounts of visitors and admins. Methods throw ERR_USER_STORE_DOWN (503) when the store fails.
 *
 * @example
 * const users = site.use("users");
 * const user = await users.findByEmail("ada@example.com");
 * if (user !== null) await users.grantRole(user.id, "editor");
 */
export interface UsersService {
  /** True: visitors are not stored (`auth.userStore: session`); put the record into the session. */
  readonly isStateless: boolean;
  get(id: string): Promise<User | null>;
  findByEmail(email: string): Promise<User | null>;
  findByUsername(username: string): Promise<User | null>;
  findByIdentity(provider: string, providerId: string): Promise<User | null>;
  list(range?: { limit?: number; offset?: number }): Promise<readonly User[]>;
  count(): Promise<number>;
  /**
   * @throws ERR_USER_EMAIL_INVALID (400), ERR_USER_USERNAME_INVALID (400), ERR_USER_ROLE_INVALID
   * (400) and, all 409, ERR_USER_EMAIL_TAKEN, ERR_USER_IDENTITY_TAKEN, ERR_USER_USERNAME_TAKEN.
   */
  create(user: NewUser): Promise<User>;
  /** @throws ERR_USER_UNKNOWN (404) and what `create` throws. */
  update(id: string, change: UserChange): Promise<User>;
  /** Deletes the account, its sessions and its tuples. False if it did not exist. */
  delete(id: string): Promise<boolean>;
  /**
   * The account of a profile, created at the first login. Found by identity, or by e-mail for
   * `magic`. Concurrent first logins create one account.
   */
  upsertFromProvider(profile: ProviderProfile): Promise<UpsertOutcome>;
  /**
   * Adds an identity unless it belongs to another account.
   * @throws ERR_USER_UNKNOWN.
   */
  linkIdentity(id: string, identity: Omit<LinkedIdentity, "linkedAt">): Promise<LinkOutcome>;
  /**
   * Removes a linked identity.
   * @throws all 400: ERR_USER_IDENTITY_SIGNUP, ERR_USER_IDENTITY_UNKNOWN and, for the last linked
   * identity with `keepLast`, ERR_USER_IDENTITY_LAST.
   */
  unlinkIdentity(id: string, provider: string, options: { keepLast: boolean }): Promise<User>;
  /** Updates `lastSeenAt`: at the first visit, then at most every five minutes. */
  touch(user: User): Promise<void>;
  grantRole(id: string, role: string): Promise<User>;
  revokeRole(id: string, role: string): Promise<User>;
  /** The user's current roles: from the authz store if there is one, else from the record. */
  rolesOf(user: RoleClaim): Promise<readonly string[]>;
  /**
   * An account and its current roles, read from both stores in parallel. Null if it was deleted; no
   * roles if it is disabled.
   */
  withRoles(id: string): Promise<{ user: User; roles: readonly string[] } | null>;
  /**
   * Hashes the password with argon2id and ends the user's sessions.
   * @throws ERR_USER_PASSWORD_WEAK (400).
   */
  setPassword(id: string, password: string): Promise<User>;
  /**
   * Finds the account by username or e-mail address and checks its password. Takes as long for an
   * unknown account as for an existing one.
   */
  verifyPassword(login: string, password: string): Promise<User | null>;
  public(user: User): PublicUser;
}

/** A passkey of an account, as its owner sees it. Times are Unix ms. */
export interface Passkey {
  /** The credential's id, base64url. */
  readonly id: string;
  readonly name: string;
  /** True: the device copies it to others of its owner. */
  readonly synced: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}
/** Why browsers offer no passkeys on a site. */
export interface PasskeyObstacle {
  /** `address`: `url` has an IP address; `http`: it is not https. */
  readonly kind: "address" | "http";
  /** For the owner of the site, with the fix. */
  readonly reason: string;
}
/** A request of a ceremony, and its response, which gets the cookie with the challenge. */
export interface PasskeyExchange {
  readonly req: Request;
  readonly res: Response;
}
/** The parts of a credential that `navigator.credentials.create` made; binary values in base64url. */
export interface CreatedPasskey {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: string[];
  };
}
/** The parts of a credential that `navigator.credentials.get` returned; binary values in base64url. */
export interface SignedPasskey {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}
/** A login with a passkey whose signature is still unchecked. */
export interface PasskeyLogin {
  /** The account of the passkey; null: the passkey is unknown. */
  readonly userId: string | null;
  /**
   * True when the passkey signed the challenge on a page of this site, after it verified its user, and
   * its counter grew. Notes the use. Ask once.
   */
  isProven(): Promise<boolean>;
}
/** Passkeys of accounts for one kind of session: those of visitors do not open the panel. */
export interface AccountPasskeys {
  /** The oldest first. */
  list(userId: string): Promise<readonly Passkey[]>;
  /**
   * Options for `navigator.credentials.create`. `session` binds the ceremony to a session.
   * @throws ERR_USER_PASSKEY (409) where the site can have none, or the account has too many.
   */
  creationOptions(
    exchange: PasskeyExchange,
    account: { user: Pick<User, "id" | "email" | "name">; session: string },
  ): Promise<{ challenge: string }>;
  /**
   * Adds the passkey that the browser created.
   * @throws ERR_USER_PASSKEY_CHALLENGE (400), ERR_USER_PASSKEY_INVALID (400), ERR_USER_PASSKEY (409).
   */
  add(
    exchange: PasskeyExchange,
    added: { userId: string; session: string; name: string; response: CreatedPasskey },
  ): Promise<Passkey>;
  /** Null: the account has no such passkey. */
  rename(userId: string, id: string, name: string): Promise<Passkey | null>;
  /** False: the account has no such passkey. */
  remove(userId: string, id: string): Promise<boolean>;
  /** Deletes the passkeys of an account. Deleting the account does so too. */
  forget(userId: string): Promise<void>;
  /**
   * Options for `navigator.credentials.get`.
   * @throws ERR_USER_PASSKEY (409) where the site can have none.
   */
  requestOptions(exchange: PasskeyExchange): Promise<{ challenge: string }>;
  /**
   * Opens a login with the response of a passkey, which uses the challenge up.
   * @throws ERR_USER_PASSKEY_CHALLENGE (400).
   */
  open(exchange: PasskeyExchange, response: SignedPasskey): Promise<PasskeyLogin>;
}
/**
 * Passkeys (WebAuthn) of visitors and of panel accounts, kept as records beside every user store.
 *
 * @example
 * const { obstacle, of } = site.use("passkeys");
 * const passkeys = of("visitor", "/auth");
 * if (obstacle === null) await passkeys.list("u1");
 */
export interface PasskeyService {
  /** Null: the site can have passkeys. */
  readonly obstacle: PasskeyObstacle | null;
  /** Passkeys per account. */
  readonly limit: number;
  /** Schemas for the bodies of routes. */
  readonly shapes: {
    readonly created: ZodType<CreatedPasskey>;
    readonly signed: ZodType<SignedPasskey>;
  };
  /** The passkeys of one kind; challenges are in a cookie of this path. */
  of(kind: SessionKind, cookiePath: string): AccountPasskeys;
}

/** Payload of `onUserStoreCreate`. */
export interface UserStoreCreate {
  register(name: string, store: UserStore): void;
  /** Makes a registered store the active one, overriding the config. */
  activate(name: string): void;
  registerAuthz(name: string, store: AuthzStore): void;
  activateAuthz(name: string): void;
  readonly settings: { userStore: string; authzStore: string | null };
}

declare module "#kernel" {
  interface Services {
    users: UsersService;
    authz: AuthzService;
    passkeys: PasskeyService;
  }
  interface Engines {
    /**
     * Register a store in `onUserStoreCreate`.
     *
     * @example
     * import type { UserStore } from "sitewright/plugins";
     * declare const directory: UserStore; // a user service
     * site.hooks.on("onUserStoreCreate", ({ data }) => {
     *   data.register("directory", directory);
     *   data.activate("directory");
     * });
     */
    userStore: UserStore;
    /**
     * Register a store in `onUserStoreCreate`.
     *
     * @example
     * import type { AuthzStore } from "sitewright/plugins";
     * declare const roles: AuthzStore; // a permission service
     * site.hooks.on("onUserStoreCreate", ({ data }) => {
     *   data.registerAuthz("roles", roles);
     *   data.activateAuthz("roles");
     * });
     */
    authzStore: AuthzStore;
  }
  interface HookMap {
    /**
     * At startup: register a store for the slots `userStore` and `authzStore`.
     *
     * @example
     * import type { UserStore } from "sitewright/plugins";
     * declare const directory: UserStore; // a user service
     * site.hooks.on("onUserStoreCreate", ({ data }) => data.register("directory", directory));
     */
    onUserStoreCreate: CreateHook<UserStoreCreate>;
    /**
     * After an account was created.
     *
     * @example
     * site.hooks.on("onUserCreate", async ({ data }) => {
     *   const { email, name } = data.user;
     *   await site.use("email").send({ to: email, subject: "Welcome", text: `Hello ${name ?? email}` });
     * });
     */
    onUserCreate: NotifyHook<{ user: PublicUser }>;
    /**
     * After an account was deleted.
     *
     * @example
     * import { rm } from "node:fs/promises";
     * site.hooks.on("onUserDelete", async ({ data }) => {
     *   await rm(`${site.paths.data}/avatars/${data.user.id}.webp`, { force: true });
     * });
     */
    onUserDelete: NotifyHook<{ user: PublicUser }>;
  }
}
