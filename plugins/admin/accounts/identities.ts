import { createHmac } from "node:crypto";
import { type Handler, constantTimeEqual } from "#kernel";
import type { SessionService } from "../../session/contract.js";
import type { User, UsersService } from "../../users/contract.js";
import type { AdminIdentity, ApiToken, OwnPages, Permission } from "../contract.js";
import { isApiToken, type TokenRecords } from "./api-tokens.js";
import { withinPaths } from "./rights.js";
import { withIncluded } from "./permissions.js";
import type { Roles } from "./roles.js";

type Req = Parameters<Handler>[0];

const BEARER = /^Bearer +(\S{1,200}) *$/i;

/** Dependencies of the identities. */
export interface IdentityDeps {
  session: SessionService;
  users: UsersService;
  tokens: TokenRecords;
  roles: Roles;
  /** See `content.ownersOf`. */
  ownersOf: OwnPages["ownersOf"];
}

/**
 * Identifies the sender of a request. Only the account's id comes from the session; rights are read
 * each time.
 */
export class Identities {
  readonly #parts: IdentityDeps;
  // No cache: a note per request.
  readonly #found = new WeakMap<Req, AdminIdentity>();

  constructor(parts: IdentityDeps) {
    this.#parts = parts;
  }

  /** The result of `resolve` for this request. */
  of(req: Req): AdminIdentity | null {
    return this.#found.get(req) ?? null;
  }

  /** True when the request has an API token of this site, valid or not. */
  hasToken(req: Req): boolean {
    return tokenOf(req) !== null;
  }

  /** The identity of a request; null without a valid session or token. */
  async resolve(req: Req): Promise<AdminIdentity | null> {
    const token = tokenOf(req);
    const identity = token === null ? await this.#ofSession(req) : await this.#ofToken(token);
    if (identity !== null) this.#found.set(req, identity);
    return identity;
  }

  /** The identity of an account that just signed in, with its session's CSRF token. */
  async signedIn(req: Req): Promise<AdminIdentity | null> {
    const identity = await this.#ofSession(req);
    if (identity !== null) this.#found.set(req, identity);
    return identity;
  }

  /** An account with its current rights, for work that it has planned; null: deleted or disabled. */
  async ofAccount(userId: string): Promise<AdminIdentity | null> {
    const { users } = this.#parts;
    const user = await users.get(userId);
    if (user === null || user.enabled === false) return null;
    const person = this.#person(user, await users.rolesOf(user));
    return { kind: "session", ...person, csrfToken: null, expiresAt: null };
  }

  async #ofSession(req: Req): Promise<AdminIdentity | null> {
    const { session, users } = this.#parts;
    const current = session.current(req, "admin");
    if (current === null) return null;
    const user = await users.get(current.userId);
    if (user === null || user.enabled === false) return null;
    const roles = await users.rolesOf(user);
    const csrf = csrfToken(current.id, await session.secret("admin-csrf"));
    return { kind: "session", ...this.#person(user, roles), csrfToken: csrf, expiresAt: null };
  }

  async #ofToken(text: string): Promise<AdminIdentity | null> {
    const token = await this.#parts.tokens.verify(text);
    if (token === null) return null;
    return token.userId === null ? ofSite(token) : this.#ofOwner(token, token.userId);
  }

  async #ofOwner(token: ApiToken, userId: string): Promise<AdminIdentity | null> {
    const { users } = this.#parts;
    const user = await users.get(userId);
    if (user === null || user.enabled === false) return null;
    const owner = this.#person(user, await users.rolesOf(user));
    const permissions = listPermissions(token).filter((name) => owner.permissions.has(name));
    const { expiresAt, paths, fields } = token;
    return {
      kind: "token",
      ...owner,
      permissions: new Set(permissions),
      csrfToken: null,
      expiresAt,
      limits: { paths, fields },
    };
  }

  #person(
    user: User,
    roles: readonly string[],
  ): Pick<AdminIdentity, "id" | "name" | "email" | "roles" | "permissions" | "paths" | "ownPages"> {
    const { ownersOf, roles: all } = this.#parts;
    const { id, email } = user;
    const name = user.name ?? user.username ?? email;
    const { own, ...rights } = all.rightsOf(roles);
    const ownPages = { permissions: own, ownersOf };
    return { id, name, email, roles, ...rights, ...(all.hasOwnPages && { ownPages }) };
  }
}

function ofSite(token: ApiToken): AdminIdentity {
  return {
    kind: "token",
    id: `token:${token.id}`,
    name: token.name,
    email: "",
    roles: [],
    permissions: new Set(listPermissions(token)),
    paths: new Map(),
    csrfToken: null,
    expiresAt: token.expiresAt,
    limits: { paths: token.paths, fields: token.fields },
  };
}

function listPermissions({ permissions, paths }: ApiToken): readonly Permission[] {
  const all = withIncluded(permissions);
  return paths === null ? all : withinPaths(all);
}

function tokenOf(req: Req): string | null {
  const token = BEARER.exec(req.headers.authorization ?? "")?.[1];
  return token !== undefined && isApiToken(token) ? token : null;
}

/** The CSRF token of a session; derived, so that nothing has to be stored. */
export function csrfToken(sessionId: string, secret: Buffer): string {
  return createHmac("sha256", secret).update(sessionId).digest("base64url");
}

/** True when a request's token is the session's. */
export function isCsrfToken(token: unknown, expected: string): boolean {
  return typeof token === "string" && constantTimeEqual(token, expected);
}
