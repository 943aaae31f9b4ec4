import { HttpError } from "#kernel";
import { canParseUrl } from "#lib/urls";
import { parseEmailAddress } from "#lib/text";
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
