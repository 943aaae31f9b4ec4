import { KeyedLock, type Caches, type CacheSpace, type Clock } from "#kernel";
import { BoundedMap } from "#lib/values";
import { sha256 } from "#lib/secrets";
import type { RoleClaim, User, UsersService } from "../../users/contract.js";
import type { JwtSection, SiteUser } from "../contract.js";
import { toSiteUser } from "../visitors.js";
import { LEEWAY_SECONDS, verifyToken, readTokenHeader } from "../engines/token-verifier.js";
import { userOfClaims, type Claims } from "./claims.js";
import type { TokenKeys } from "./token-keys.js";

const BEARER = /^Bearer +(\S+)$/i;
/** Verified tokens, and users whose newest token is known. */
const MAX_TOKENS = 5_000;
/** Bytes of a verified token, about, and of all of them. */
const TOKEN_BYTES = 1_024;
const MAX_BYTES = 8 * 1_024 * 1_024;

/** Dependencies of the token users. */
export interface TokenUsersOptions {
  jwt: JwtSection;
  keys: TokenKeys;
  users: Pick<UsersService, "rolesOf">;
  cache: Pick<Caches, "open">;
  clock: Clock;
}
interface Verified {
  readonly user: User;
  /** Unix seconds; null when the token has no `iat`. */
  readonly issuedAt: number | null;
  /** Unix ms. */
  readonly validUntil: number;
}
interface Newest {
  readonly issuedAt: number;
  readonly roles: readonly string[];
}

/** Maps bearer tokens to users. A token is verified once and cached until it expires. */
export class TokenUsers {
  readonly #options: TokenUsersOptions;
  /** By digest; null, which is not stored, for an invalid token. */
  readonly #verified: CacheSpace<Verified | null>;
  // Not in site.cache: clearing it must not change which token counts.
  readonly #newest = new BoundedMap<Newest>(MAX_TOKENS);
  readonly #lock = new KeyedLock();

  constructor(options: TokenUsersOptions) {
    this.#options = options;
    this.#verified = options.cache.open<Verified | null>("verified-tokens", {
      maxBytes: MAX_BYTES,
      maxEntries: MAX_TOKENS,
      untagged: true,
      sizeOf: () => TOKEN_BYTES,
    });
  }

  /** The user of an `Authorization` header; null without one and for an invalid token. */
  async findUser(authorization: string | undefined): Promise<SiteUser | null> {
    const token = BEARER.exec(authorization ?? "")?.[1];
    const verified = token === undefined ? null : await this.#verifiedOnce(token);
    if (verified === null) return null;
    // Sequential per user: roles of an older token never overwrite those of a newer one.
    const { id } = verified.user;
    const roles = await this.#lock.run(id, () =>
      this.#options.users.rolesOf({ id, ...this.#rolesOf(verified) }),
    );
    return toSiteUser(verified.user, roles);
  }

  #verifiedOnce(token: string): Promise<Verified | null> {
    return this.#verified.get(sha256(token), async (entry) => {
      const verified = await this.#verify(token);
      entry.until = verified?.validUntil ?? 0;
      return verified;
    });
  }

  async #verify(token: string): Promise<Verified | null> {
    const { jwt, keys, clock } = this.#options;
    const header = readTokenHeader(token, keys.algorithm);
    const key = header && (await keys.get(header.kid));
    if (key === null) return null;
    const now = clock.now();
    const { issuer, audience, requireExp } = jwt;
    const { algorithm } = keys;
    const claims = verifyToken(token, { key, algorithm, issuer, audience, requireExp, now });
    const user = claims && userOfClaims(claims, jwt, now);
    if (claims === null || user === null) return null;
    const issuedAt = typeof claims["iat"] === "number" ? claims["iat"] : null;
    const validUntil = Math.min(expiryOf(claims), keys.validUntil());
    return { user, issuedAt, validUntil };
  }

  /** The newer of two tokens of one user decides the roles. */
  #rolesOf({ user, issuedAt }: Verified): Omit<RoleClaim, "id"> {
    if (issuedAt === null) return { roles: user.roles, vouchedAt: null };
    const newest = this.#newest.get(user.id);
    if (newest !== undefined && newest.issuedAt > issuedAt) return claimOf(newest);
    const latest = { issuedAt, roles: user.roles };
    this.#newest.set(user.id, latest);
    return claimOf(latest);
  }
}

function claimOf({ issuedAt, roles }: Newest): Omit<RoleClaim, "id"> {
  return { roles, vouchedAt: issuedAt * 1000 };
}

/** Unix ms. */
function expiryOf(claims: Claims): number {
  const { exp } = claims;
  return typeof exp === "number" ? (exp + LEEWAY_SECONDS) * 1000 : Infinity;
}
