import { z } from "zod";
import { HttpError } from "#kernel";
import { readData } from "#lib/schema";

/** A person's profile at a provider. */
export interface Profile {
  /** The provider's own id. */
  readonly id: string;
  /** Null unless the provider has verified it. */
  readonly email: string | null;
  readonly name?: string | undefined;
  readonly avatarUrl?: string | undefined;
  /** All claims of an OpenID provider. */
  readonly claims?: Readonly<Record<string, unknown>>;
}
/** Binds the end of a login to its start. */
export interface LoginChecks {
  readonly state: string;
  /** PKCE. */
  readonly verifier: string;
  readonly nonce: string;
}
/** A login provider. */
export interface LoginProvider {
  readonly slug: string;
  /** Its name on the login page. */
  readonly label: string;
  /**
   * The authorization URL.
   * @throws ProviderError.
   */
  start(checks: LoginChecks): Promise<URL>;
  /**
   * The profile of the visitor who returned to `callback`, the full URL.
   * @throws ProviderError.
   */
  finish(callback: URL, checks: LoginChecks): Promise<Profile>;
}

/** `code`: the visitor's code or callback is invalid; `provider`: the provider failed. */
export type ProviderFault = "code" | "provider";

/** A login that failed at a provider; the message only goes to the log. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly fault: ProviderFault;

  constructor(fault: ProviderFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/** The response to a login that failed at a provider: 400 for the visitor's fault, 502 for the provider's. */
export function providerFailure(fault: ProviderFault): HttpError {
  return fault === "code"
    ? new HttpError(400, "this login was not started in this browser, or has expired", {
        code: "ERR_AUTH_STATE",
      })
    : new HttpError(502, "the provider's response is invalid", { code: "ERR_AUTH_PROVIDER" });
}

/** Reads a profile from a provider's URLs; `get` returns the parsed JSON of one. */
export type ReadProfile = (
  get: (url: string) => Promise<unknown>,
  urls: ProfileUrls,
) => Promise<Profile>;
/** URLs of a profile. */
export interface ProfileUrls {
  readonly user: string;
  readonly emails: string;
}

// Ids are strings: numbers above 2^53 already arrive as strings (see `parseJson`).
const id = z.union([z.string().min(1).max(255), z.int().nonnegative().transform(String)]);
const text = z.string().max(2_000).nullish().catch(null);
const flag = z.union([z.boolean(), z.stringbool()]).nullish().catch(null);
const email = z.string().max(320).nullish().catch(null);

const githubUser = z.object({ id, login: text, name: text, avatar_url: text });
const githubEmails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);
const discordUser = z.object({
  id,
  username: text,
  global_name: text,
  avatar: text,
  email,
  verified: flag,
});
const claims = z.object({
  id: id.optional(),
  sub: id.optional(),
  email,
  email_verified: flag,
  verified_email: flag,
  name: text,
  preferred_username: text,
  picture: text,
});

/** GitHub: the primary address, from its own list, if verified. */
export const readGithub: ReadProfile = async (get, urls) => {
  const user = parse(githubUser, await get(urls.user));
  const emails = parse(githubEmails, await get(urls.emails));
  const primary = emails.find((one) => one.primary && one.verified);
  return profile(user.id, primary?.email, user.name || user.login, user.avatar_url);
};

/** Discord: one profile with `verified` beside the address. */
export const readDiscord: ReadProfile = async (get, urls) => {
  const user = parse(discordUser, await get(urls.user));
  const picture = user.avatar
    ? `https://cdn.discordapp.com/avatars/${encodeURIComponent(user.id)}/${encodeURIComponent(user.avatar)}.png`
    : null;
  const verified = user.verified === true ? user.email : null;
  return profile(user.id, verified, user.global_name || user.username, picture);
};

/** Google, in the form of its own API and of OpenID Connect. */
export const readGoogle: ReadProfile = async (get, urls) => readClaims(await get(urls.user));

/** The standard claims of OpenID Connect. */
export function readClaims(value: unknown): Profile {
  const parsed = parse(claims, value);
  const subject = parsed.sub ?? parsed.id;
  if (subject === undefined) throw new ProviderError("provider", "the profile has no id");
  const isVerified = (parsed.email_verified ?? parsed.verified_email) === true;
  const email = isVerified ? parsed.email : null;
  return profile(subject, email, parsed.name || parsed.preferred_username, parsed.picture);
}

function profile(
  subject: string,
  verified: string | null | undefined,
  name: string | null | undefined,
  picture: string | null | undefined,
): Profile {
  return {
    id: subject,
    email: verified ?? null,
    ...(name ? { name } : {}),
    ...(picture ? { avatarUrl: picture } : {}),
  };
}

function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, mistakes } = readData(schema, value);
  if (mistakes === null) return data;
  const where = mistakes.map(({ path }) => path.join(".")).join(", ");
  throw new ProviderError("provider", `the profile has an unexpected shape: ${where}`);
}

/** Long numbers after `"id":`, which JSON.parse would round. */
const LONG_ID = /("(?:id|sub)"\s*:\s*)(\d{16,})(?=\s*[,}])/g;

/**
 * Parses JSON without rounding ids.
 * @throws ProviderError.
 */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body.replace(LONG_ID, '$1"$2"'));
  } catch (error) {
    throw new ProviderError("provider", "the response is not JSON", error);
  }
}
