import { z } from "zod";
import { HttpError } from "#kernel";
import { sha256 } from "#lib/secrets";
import type { User } from "../contract.js";

const optionalText = z.string().optional();

/** Schema of a stored record; keeps unknown fields, absent lists become empty. */
export const userShape: z.ZodType<User> = z.looseObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  email: z.string(),
  name: optionalText,
  avatarUrl: optionalText,
  username: optionalText,
  passwordHash: optionalText,
  roles: z.array(z.string()).default([]),
  provider: z.string(),
  providerId: optionalText,
  linkedProviders: z
    .array(z.object({ provider: z.string(), providerId: z.string(), linkedAt: z.number() }))
    .default([]),
  createdAt: z.number(),
  updatedAt: z.number(),
  lastSeenAt: z.number(),
  paymentCustomerId: optionalText,
  enabled: z.boolean().optional(),
});

/** Parses a JSON text; null if it is not an account. */
export function parseUser(text: string): User | null {
  try {
    const parsed = userShape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Ids of records, which are also file names. */
export function isUserId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(id);
}

/** Oldest first, then by id. */
export function byAge(a: User, b: User): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/** Restores the fields that a change must not touch. */
export function keepIdentity(before: User, after: User): User {
  return after === before ? before : { ...after, id: before.id, createdAt: before.createdAt };
}

/** Kinds of unique values of an account. */
export type KeyKind = "email" | "username" | "identity";
/** One such value as a digest, safe for a file name. */
export interface UserKey {
  readonly kind: KeyKind;
  readonly digest: string;
}

const CODES: Readonly<Record<KeyKind, [code: string, what: string]>> = {
  email: ["ERR_USER_EMAIL_TAKEN", "e-mail address"],
  username: ["ERR_USER_USERNAME_TAKEN", "username"],
  identity: ["ERR_USER_IDENTITY_TAKEN", "identity"],
};

/** Every unique value of an account. */
export function keysOf(user: User): UserKey[] {
  const identities = [...user.linkedProviders];
  const keys = [emailKey(user.email)];
  if (user.username !== undefined) keys.push(usernameKey(user.username));
  if (user.providerId !== undefined) keys.push(identityKey(user.provider, user.providerId));
  for (const { provider, providerId } of identities) keys.push(identityKey(provider, providerId));
  return keys;
}

export function emailKey(email: string): UserKey {
  return { kind: "email", digest: sha256(email.toLowerCase()) };
}

export function usernameKey(username: string): UserKey {
  return { kind: "username", digest: sha256(username.toLowerCase()) };
}

export function identityKey(provider: string, providerId: string): UserKey {
  return { kind: "identity", digest: sha256(`${provider}\0${providerId}`) };
}

export function isSameKey(a: UserKey, b: UserKey): boolean {
  return a.kind === b.kind && a.digest === b.digest;
}

/**
 * The error for a value that belongs to another account; contains neither the account nor the
 * value.
 */
export function takenError(kind: KeyKind): HttpError {
  const [code, what] = CODES[kind];
  return new HttpError(409, `another account has this ${what}`, { code });
}
