import { HttpError } from "#kernel";
import { canParseUrl } from "#lib/urls";
import { parseEmailAddress } from "#lib/text";
import { z } from "zod";
import { sha256 } from "#lib/secrets";
import type { NewUser, PublicUser, User } from "./contract.js";

const USERNAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const ROLE = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const CODES = {
  EMAIL: "ERR_USER_EMAIL_INVALID",
  USERNAME: "ERR_USER_USERNAME_INVALID",
  ROLE: "ERR_USER_ROLE_INVALID",
} as const;
/** Maximum length of a name, and of a picture's URL. */
const NAME_LENGTH = 200;
const URL_LENGTH = 2_000;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * Sanitises fields from outside so that they are safe to store and show.
 * @throws ERR_USER_EMAIL_INVALID, ERR_USER_USERNAME_INVALID, ERR_USER_ROLE_INVALID, all 400.
 */
export function cleanUser<T extends NewUser | User>(user: T): T {
  return {
    ...user,
    email: checkedEmail(user.email),
    name: cleanName(user.name),
    avatarUrl: cleanUrl(user.avatarUrl),
    username: user.username === undefined ? undefined : checkedUsername(user.username),
    roles: [...new Set((user.roles ?? []).map(checkedRole))],
  };
}

/** @throws ERR_USER_EMAIL_INVALID (400). */
export function checkedEmail(value: string): string {
  const email = parseEmailAddress(value);
  if (email !== null) return email;
  throw invalid("EMAIL", value, "an e-mail address like name@example.org");
}

/** @throws ERR_USER_ROLE_INVALID (400). */
export function checkedRole(value: string): string {
  if (ROLE.test(value)) return value;
  throw invalid("ROLE", value, "a role of letters, digits, _ and -");
}

function checkedUsername(value: string): string {
  if (USERNAME.test(value)) return value;
  throw invalid("USERNAME", value, "a username of letters, digits, ., _ and -");
}

function invalid(field: keyof typeof CODES, value: string, expected: string): HttpError {
  const shown = JSON.stringify(value.slice(0, 80));
  return new HttpError(400, `${shown} is not ${expected}`, { code: CODES[field] });
}

function cleanName(name: string | undefined): string | undefined {
  const clean = name?.replace(CONTROL, "").trim().slice(0, NAME_LENGTH);
  return clean === "" ? undefined : clean;
}

/** Only http(s) URLs: they end up in pages. */
function cleanUrl(url: string | undefined): string | undefined {
  if (url === undefined || url.length > URL_LENGTH || !canParseUrl(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}

/** The public fields of an account. */
export function publicUser(user: User): PublicUser {
  const { id, email, name = null, avatarUrl = null, roles, provider, createdAt } = user;
  const linkedProviders = [...new Set(user.linkedProviders.map((linked) => linked.provider))];
  return { id, email, name, avatarUrl, roles, provider, createdAt, linkedProviders };
}

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

const TAKEN_CODES: Readonly<Record<KeyKind, [code: string, what: string]>> = {
  email: ["ERR_USER_EMAIL_TAKEN", "e-mail address"],
  username: ["ERR_USER_USERNAME_TAKEN", "username"],
  identity: ["ERR_USER_IDENTITY_TAKEN", "identity"],
};

/** Every unique value of an account. */
export function uniqueKeys(user: User): UserKey[] {
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
  const [code, what] = TAKEN_CODES[kind];
  return new HttpError(409, `another account has this ${what}`, { code });
}
