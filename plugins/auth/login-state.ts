import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { z } from "zod";
import { constantTimeEqual } from "#kernel";

/** How long a login may take at the provider. */
export const STATE_SECONDS = 600;
/** Name of the cookie that ties a login to the browser that started it. */
export const STATE_COOKIE = "site_auth_state";
/** Longest path kept; a cookie has room for 4,096 bytes. */
const LONGEST_NEXT = 1_800;

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

/** The sealed login in a `Cookie` header, null when there is none. */
export function stateCookie(header: string | undefined): string | null {
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === STATE_COOKIE) {
      return pair.slice(equals + 1).trim();
    }
  }
  return null;
}

/** The `Set-Cookie` header of a sealed login; an empty value clears it. */
export function stateCookieHeader(value: string, isSecure: boolean): string {
  const age = value === "" ? 0 : STATE_SECONDS;
  const secure = isSecure ? "; Secure" : "";
  return `${STATE_COOKIE}=${value}; Path=/auth; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}
