import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { constantTimeEqual } from "#kernel";

/** How long a login may take at the provider. */
export const STATE_SECONDS = 600;
/** Beginning of the names of cookies that tie a login to the browser that started it. */
export const STATE_COOKIE = "site_auth_state";
/** Longest path kept; a cookie has room for 4,096 bytes. */
const LONGEST_NEXT = 1_800;
/** Logins that one browser may have under way (tabs), and characters of their cookies together. */
const MOST_LOGINS = 5;
const MOST_CHARACTERS = 8_192;

const pending = z.object({
  state: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  provider: z.string(),
  /** Null: a login; else the session that links. */
  link: z.object({ userId: z.string(), sessionId: z.string() }).nullable(),
  next: z.string(),
  /** Unix ms. */
  expiresAt: z.number(),
});
/** A login or a link on its way through a provider. */
export type PendingLogin = z.infer<typeof pending>;

/** A fresh login: 256 bits each of state, verifier and nonce. */
export function newPendingLogin(
  login: Pick<PendingLogin, "provider" | "link" | "next">,
  now: number,
): PendingLogin {
  const random = (): string => randomBytes(32).toString("base64url");
  const next = login.next.length > LONGEST_NEXT ? "/" : login.next;
  return {
    ...login,
    next,
    state: random(),
    verifier: random(),
    nonce: random(),
    expiresAt: now + STATE_SECONDS * 1000,
  };
}

/** Encrypted and signed (AES-256-GCM): the browser keeps it and can neither read nor change it. */
export function sealLogin(login: PendingLogin, key: Buffer): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const data = Buffer.concat([cipher.update(JSON.stringify(login), "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), data]).toString("base64url");
}

/** What was sealed; null when it is not whole, not ours or too old. */
export function openLogin(value: string, key: Buffer, now: number): PendingLogin | null {
  const bytes = Buffer.from(value, "base64url");
  if (bytes.length < 29) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    const data = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
    const login = pending.parse(JSON.parse(data.toString("utf8")));
    return login.expiresAt > now ? login : null;
  } catch {
    // Forged, cut or of another key: all the same to the caller.
    return null;
  }
}

/** True when a login comes back to the provider, and with the state, that it was started with. */
export function isAnswerTo(
  login: PendingLogin,
  answer: { provider: string; state: string },
): boolean {
  return login.provider === answer.provider && constantTimeEqual(login.state, answer.state);
}

/** A cookie of a login under way. */
export interface StateCookie {
  readonly name: string;
  /** A sealed login; empty to clear it. */
  readonly value: string;
}

/** The cookie's name for a state: each login has its own, so that tabs do not undo each other's. */
export function stateCookieName(state: string): string {
  const digest = createHash("sha256").update(state).digest("base64url");
  return `${STATE_COOKIE}_${digest.slice(0, 12)}`;
}

/** The cookies of logins in a `Cookie` header, in the order they stand there. */
export function stateCookies(header: string | undefined): StateCookie[] {
  return (header ?? "").split(";").flatMap((pair) => {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    const isOurs = name === STATE_COOKIE || name.startsWith(`${STATE_COOKIE}_`);
    return isOurs ? [{ name, value: pair.slice(equals + 1).trim() }] : [];
  });
}

/**
 * Which of a browser's cookies go when one more login begins, so that they stay few and a request
 * has room for them: what does not open, then the oldest.
 */
export function surplusCookies(
  cookies: readonly StateCookie[],
  { key, now, room }: { key: Buffer; now: number; room: number },
): StateCookie[] {
  const byAge = cookies
    .map((cookie) => ({ cookie, endsAt: openLogin(cookie.value, key, now)?.expiresAt ?? 0 }))
    .sort((a, b) => b.endsAt - a.endsAt);
  let characters = room;
  return byAge.flatMap(({ cookie, endsAt }, index) => {
    characters += cookie.value.length;
    const fits = endsAt > 0 && index < MOST_LOGINS - 1 && characters <= MOST_CHARACTERS;
    return fits ? [] : [cookie];
  });
}

/** The `Set-Cookie` header of a login under way; an empty value clears it. */
export function stateCookieHeader({ name, value }: StateCookie, isSecure: boolean): string {
  const age = value === "" ? 0 : STATE_SECONDS;
  const secure = isSecure ? "; Secure" : "";
  return `${name}=${value}; Path=/auth; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}
