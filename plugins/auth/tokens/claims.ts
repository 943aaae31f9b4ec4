import { canParseUrl } from "#lib/urls";
import type { User } from "../../users/contract.js";
import type { JwtSection } from "../contract.js";

/** Claims of a verified token. */
export type Claims = Readonly<Record<string, unknown>>;

const MAX_ROLES = 64;
const MAX_ID_LENGTH = 255;
const ROLE = /^[^\s\p{Cc}]{1,128}$/u;

/** Maps claims to a user; null without an id. */
export function userOfClaims(claims: Claims, jwt: JwtSection, now: number): User | null {
  const subject = parseSubject(readClaim(claims, jwt.userIdClaim));
  if (subject === null) return null;
  const email = readClaim(claims, jwt.emailClaim);
  const { name, picture } = claims;
  return {
    id: userId(subject, jwt),
    email: typeof email === "string" ? email.slice(0, 254).toLowerCase() : "",
    ...(typeof name === "string" && name !== "" ? { name: name.slice(0, 200) } : {}),
    ...(isPicture(picture) ? { avatarUrl: picture } : {}),
    roles: parseRoles(readClaim(claims, jwt.rolesClaim)),
    provider: "jwt",
    providerId: subject,
    linkedProviders: [],
    createdAt: 0,
    updatedAt: 0,
    lastSeenAt: now,
  };
}

/** Includes `jwt.issuer` when set, so that ids of two issuers never collide. */
export function userId(subject: string, { issuer }: Pick<JwtSection, "issuer">): string {
  return issuer === undefined ? subject : `${issuer}|${subject}`;
}

/**
 * The claim with this name, else the value at the dotted path: names may contain dots themselves.
 */
export function readClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = new Map<string, unknown>(Object.entries(value)).get(key);
  }
  return value;
}

function parseSubject(value: unknown): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && text !== "" && text.length <= MAX_ID_LENGTH ? text : null;
}

function parseRoles(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const roles = list.filter((role) => typeof role === "string" && ROLE.test(role));
  return [...new Set(roles.map(String))].slice(0, MAX_ROLES);
}

function isPicture(value: unknown): value is string {
  if (typeof value !== "string" || value.length > 2_000 || !canParseUrl(value)) return false;
  return ["https:", "http:"].includes(new URL(value).protocol);
}
