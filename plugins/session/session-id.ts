import { createHmac, randomBytes } from "node:crypto";
import { constantTimeEqual } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { SessionKind, SessionRecord } from "./contract.js";

/** A cookie's value: 32 random bytes and their HMAC-SHA256, each as 43 base64url characters. */
const COOKIE = /^[A-Za-z0-9_-]{86}$/;

const ID_LENGTH = 43;

/** Cookie names by kind. */
export const COOKIE_NAMES: Readonly<Record<SessionKind, string>> = {
  visitor: "site_auth",
  admin: "site_admin",
};

/** Cookie of `req.session`; requests with a cookie named `site_…` bypass the response cache. */
export const REQUEST_SESSION_COOKIE = "site_session";

/** A new id of 256 bits. */
export function newSessionId(): string {
  return randomBytes(32).toString("base64url");
}

/** The store's key of a session; a stolen store cannot be used to log in. */
export function storeKey(kind: SessionRecord["kind"], id: string): string {
  return `${kind}-${sha256(`${kind}:${id}`)}`;
}

/** The kind in the store's key of a visitor's or admin's session; null for any other text. */
export function kindOfKey(key: string): SessionKind | null {
  const kind = /^(visitor|admin)-[0-9a-f]{64}$/.exec(key)?.[1];
  return kind === "visitor" || kind === "admin" ? kind : null;
}

/** The cookie's value for an id. */
export function signId(id: string, secret: string): string {
  return id + createHmac("sha256", secret).update(id).digest("base64url");
}

/** The id in a well-formed cookie value; null for an invalid signature. */
export function verifiedId(value: string, secret: string): string | null {
  const id = value.slice(0, ID_LENGTH);
  return constantTimeEqual(value, signId(id, secret)) ? id : null;
}

/** The value of a session cookie in a `Cookie` header; null when absent or malformed. */
export function sessionCookie(header: string | undefined, kind: SessionKind): string | null {
  const name = COOKIE_NAMES[kind];
  if (header === undefined || !header.includes(name)) return null;
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) {
      const value = pair.slice(equals + 1).trim();
      return COOKIE.test(value) ? value : null;
    }
  }
  return null;
}

/** Properties of a session cookie. */
export interface CookieOptions {
  /** 0 deletes the cookie. */
  readonly maxAgeSeconds: number;
  /** True: browsers send the cookie over https only. */
  readonly secure: boolean;
}

/** A `Set-Cookie` header. */
export function setCookieHeader(kind: SessionKind, value: string, options: CookieOptions): string {
  const sameSite = kind === "admin" ? "Strict" : "Lax";
  const secure = options.secure ? "; Secure" : "";
  return `${COOKIE_NAMES[kind]}=${value}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`;
}
