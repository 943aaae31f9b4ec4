import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { constantTimeEqual } from "#kernel";
import { openText, sealText } from "#lib/secrets";

/** How long a login at the provider may take. */
export const STATE_SECONDS = 600;
/** Prefix of the cookies that bind a login to the browser that started it. */
export const STATE_COOKIE = "site_auth_state";
/** Maximum length of the `next` path; a cookie is limited to 4,096 bytes. */
const MAX_NEXT_LENGTH = 1_800;
/** Maximum number of pending logins per browser (tabs), and of characters in their cookies. */
const MAX_LOGINS = 5;
const MAX_CHARACTERS = 8_192;

const pending = z.object({
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  provider: z.string(),
  /** Null: a login; else the session that started linking. */
  link: z.object({ userId: z.string(), sessionId: z.string() }).nullable(),
  next: z.string(),
  /** Unix ms. */
  expiresAt: z.number(),
});
/** A pending login or link. */
export type PendingLogin = z.infer<typeof pending>;

/** A new login with 256 random bits each for state, verifier and nonce. */
export function newPendingLogin(
  login: Pick<PendingLogin, "provider" | "link" | "next">,
  now: number,
): PendingLogin {
  const random = (): string => randomBytes(32).toString("base64url");
  const next = login.next.length > MAX_NEXT_LENGTH ? "/" : login.next;
  return {
    ...login,
    next,
    state: random(),
    verifier: random(),
    nonce: random(),
    expiresAt: now + STATE_SECONDS * 1000,
  };
}

/** Encrypts and authenticates a login (AES-256-GCM): the browser can neither read nor change it. */
export function sealLogin(login: PendingLogin, key: Buffer): string {
  return sealText(JSON.stringify(login), key);
}

/** Opens a sealed login; null when it is damaged, forged or expired. */
export function openLogin(value: string, key: Buffer, now: number): PendingLogin | null {
  const text = openText(value, key);
  const { data: login } = pending.safeParse(text === null ? null : JSON.parse(text));
  return login !== undefined && login.expiresAt > now ? login : null;
}

/**
 * True when the callback comes from the provider, and has the state, that the login started with.
 */
export function isCallbackOf(login: PendingLogin, provider: string, state: string): boolean {
  return login.provider === provider && constantTimeEqual(login.state, state);
}

/** A cookie of a pending login. */
export interface StateCookie {
  readonly name: string;
  /** A sealed login; empty to clear it. */
  readonly value: string;
}

/**
 * The cookie's name for a state: each login has its own, so that tabs do not overwrite each
 * other's.
 */
export function stateCookieName(state: string): string {
  const digest = createHash("sha256").update(state).digest("base64url");
  return `${STATE_COOKIE}_${digest.slice(0, 12)}`;
}

/** The login cookies of a `Cookie` header, in header order. */
export function stateCookies(header: string | undefined): StateCookie[] {
  return (header ?? "").split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    const isOurs = name === STATE_COOKIE || name.startsWith(`${STATE_COOKIE}_`);
    return isOurs ? [{ name, value: pair.slice(equals + 1).trim() }] : [];
  });
}

/**
 * Which cookies to delete when another login starts, so that the request header stays small: first
 * those that cannot be opened, then the oldest. `added`: characters of the new cookie.
 */
export function surplusCookies(
  cookies: readonly StateCookie[],
  key: Buffer,
  now: number,
  added: number,
): StateCookie[] {
  const byAge = cookies
    .map((cookie) => ({ cookie, endsAt: openLogin(cookie.value, key, now)?.expiresAt ?? 0 }))
    .sort((a, b) => b.endsAt - a.endsAt);
  let characters = added;
  return byAge.flatMap(({ cookie, endsAt }, index) => {
    characters += cookie.value.length;
    const fits = endsAt > 0 && index < MAX_LOGINS - 1 && characters <= MAX_CHARACTERS;
    return fits ? [] : [cookie];
  });
}

/** The `Set-Cookie` header of a pending login; an empty value deletes the cookie. */
export function stateCookieHeader({ name, value }: StateCookie, isSecure: boolean): string {
  const age = value === "" ? 0 : STATE_SECONDS;
  const secure = isSecure ? "; Secure" : "";
  return `${name}=${value}; Path=/auth; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}
