import { createHash, createHmac, randomBytes } from "node:crypto";
import { constantTimeEqual } from "#kernel";
import type { SessionKind } from "./contract.js";

/** A cookie's value: 32 random bytes and their HMAC-SHA256, each as 43 characters of base64url. */
const COOKIE = /^[A-Za-z0-9_-]{86}$/;

const ID_LENGTH = 43;

/** Name of the cookie of each kind. */
export const COOKIE_NAMES: Readonly<Record<SessionKind, string>> = {
  visitor: "site_auth",
  admin: "site_admin",
};

/** A fresh id of 256 bits. */
export function newSessionId(): string {
  return randomBytes(32).toString("base64url");
}

/** The name under which a store keeps the session: nobody logs in with what a stolen store holds. */
export function storeKey(kind: SessionKind, id: string): string {
  return `${kind}-${createHash("sha256").update(`${kind}:${id}`).digest("hex")}`;
}

/** The cookie's value for an id. */
export function signId(id: string, secret: string): string {
  return id + createHmac("sha256", secret).update(id).digest("base64url");
}

/** The id in a cookie's well-formed value; null when the signature is not ours. */
export function verifiedId(value: string, secret: string): string | null {
  const id = value.slice(0, ID_LENGTH);
  return constantTimeEqual(value, signId(id, secret)) ? id : null;
}

/** The value of a session cookie in a `Cookie` header; null unless it is there and well-formed. */
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

/** A `Set-Cookie` header (specification: Authentication 1; decisions: Admin). */
export function setCookieHeader(
  kind: SessionKind,
  value: string,
  options: { maxAgeSeconds: number; secure: boolean },
): string {
  const sameSite = kind === "admin" ? "Strict" : "Lax";
  const secure = options.secure ? "; Secure" : "";
  return `${COOKIE_NAMES[kind]}=${value}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`;
}
