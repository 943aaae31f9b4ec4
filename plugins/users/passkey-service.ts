import { isIP } from "node:net";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type SiteContext, HttpError } from "#kernel";
import { isLoopbackUrl } from "#lib/urls";
import { openText, sealText } from "#lib/secrets";
import type { SessionKind } from "../session/contract.js";
import type {
  PasskeyService,
  AccountPasskeys,
  CreatedPasskey,
  Passkey,
  PasskeyExchange,
  PasskeyLogin,
  PasskeyObstacle,
  SignedPasskey,
  User,
} from "./contract.js";
import type { userErrors } from "./errors.js";
import { MAX_PASSKEYS, PasskeyRecords, type StoredPasskey } from "./passkey-records.js";

const encoded = (limit: number) =>
  z
    .string()
    .max(limit)
    .regex(/^[\w-]+$/, { error: "base64url" });

const shapes: PasskeyService["shapes"] = {
  created: z.object({
    id: encoded(32_768),
    response: z.object({
      clientDataJSON: encoded(32_768),
      attestationObject: encoded(32_768),
      transports: z.array(z.string().max(32)).max(10).default([]),
    }),
  }),
  signed: z.object({
    id: encoded(8_192),
    response: z.object({
      clientDataJSON: encoded(8_192),
      authenticatorData: encoded(8_192),
      signature: encoded(8_192),
      userHandle: encoded(8_192),
    }),
  }),
};

/** The service `passkeys`; deleting an account deletes its passkeys. */
export function createPasskeyService(site: SiteContext): PasskeyService {
  const store = site.use("records");
  const { clock } = site.runtime;
  const records: Record<SessionKind, PasskeyRecords> = {
    admin: new PasskeyRecords("admin", store, clock),
    visitor: new PasskeyRecords("visitor", store, clock),
  };
  const party = readRelyingParty(site.settings.site.url);
  site.hooks.on("onUserDelete", async ({ data }) => {
    await records.admin.forget(data.user.id);
    await records.visitor.forget(data.user.id);
  });
  return {
    obstacle: "reason" in party ? party : null,
    limit: MAX_PASSKEYS,
    shapes,
    of: (kind, path) => {
      const challenges = new Challenges(site, { name: `site_${kind}_challenge`, path });
      return new Ceremonies({ site, party, challenges, records: records[kind] });
    },
  };
}

const LOGIN = "login";

/** Dependencies of the ceremonies. */
interface CeremonyDependencies {
  readonly site: SiteContext;
  readonly party: RelyingParty | PasskeyObstacle;
  readonly challenges: Challenges;
  readonly records: PasskeyRecords;
}

/** Passkeys of accounts for one kind of session. */
class Ceremonies implements AccountPasskeys {
  readonly #dependencies: CeremonyDependencies;

  constructor(parts: CeremonyDependencies) {
    this.#dependencies = parts;
  }

  async list(userId: string): Promise<readonly Passkey[]> {
    return (await this.#dependencies.records.list(userId)).map(shown);
  }

  async creationOptions(
    exchange: PasskeyExchange,
    { user, session }: { user: Pick<User, "id" | "email" | "name">; session: string },
  ): Promise<{ challenge: string }> {
    const { site, records, challenges } = this.#dependencies;
    const { id: rpID } = this.#party();
    const registered = await records.list(user.id);
    if (registered.length >= MAX_PASSKEYS) {
      const message = `the account has ${MAX_PASSKEYS} passkeys: remove one first`;
      throw refused(409, "ERR_USER_PASSKEY", message);
    }
    // Loaded by the first ceremony.
    const { generateRegistrationOptions } = await import("@simplewebauthn/server");
    return generateRegistrationOptions({
      rpName: site.settings.site.title,
      rpID,
      userName: user.email,
      userDisplayName: user.name ?? user.email,
      userID: new TextEncoder().encode(records.handleOf(user.id)),
      challenge: await challenges.start(exchange, toPurpose(user.id, session)),
      attestationType: "none",
      excludeCredentials: registered.map(({ id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
  }

  async add(
    exchange: PasskeyExchange,
    added: { userId: string; session: string; name: string; response: CreatedPasskey },
  ): Promise<Passkey> {
    const { userId, session, name, response: created } = added;
    const { id, response } = created;
    const { id: expectedRPID, origin } = this.#party();
    const challenge = await this.#dependencies.challenges.take(
      exchange,
      toPurpose(userId, session),
    );
    const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
    const verified = await verifyRegistrationResponse({
      response: { id, rawId: id, type: "public-key", response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID,
      requireUserVerification: true,
    }).catch((cause: unknown) => {
      throw invalid(String(cause).slice(0, 200), cause);
    });
    if (!verified.verified) throw invalid("the passkey could not be verified");
    const { credential, credentialBackedUp } = verified.registrationInfo;
    const passkey = await this.#dependencies.records.add(userId, {
      id: credential.id,
      name,
      counter: credential.counter,
      synced: credentialBackedUp,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      transports: response.transports,
    });
    if (passkey !== null) return shown(passkey);
    throw refused(409, "ERR_USER_PASSKEY", "the account has this passkey, or too many");
  }

  async rename(userId: string, id: string, name: string): Promise<Passkey | null> {
    const renamed = await this.#dependencies.records.rename(userId, id, name);
    return renamed === null ? null : shown(renamed);
  }

  remove(userId: string, id: string): Promise<boolean> {
    return this.#dependencies.records.remove(userId, id);
  }

  forget(userId: string): Promise<void> {
    return this.#dependencies.records.forget(userId);
  }

  async requestOptions(exchange: PasskeyExchange): Promise<{ challenge: string }> {
    const { id: rpID } = this.#party();
    const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
    const challenge = await this.#dependencies.challenges.start(exchange, LOGIN);
    return generateAuthenticationOptions({ rpID, challenge, userVerification: "required" });
  }

  async open(exchange: PasskeyExchange, response: SignedPasskey): Promise<PasskeyLogin> {
    const challenge = await this.#dependencies.challenges.take(exchange, LOGIN);
    const handle = Buffer.from(response.response.userHandle, "base64url").toString("utf8");
    const match = await this.#dependencies.records.find(handle, response.id);
    if (match === null) return { userId: null, isProven: () => Promise.resolve(false) };
    const { userId, passkey } = match;
    return {
      userId,
      isProven: async () => {
        const counter = await this.#verified(response, challenge, passkey);
        return counter !== null && this.#dependencies.records.use(userId, passkey.id, counter);
      },
    };
  }

  /** The new counter; null when the signature is of another key, page or challenge. */
  async #verified(
    { id, response }: SignedPasskey,
    challenge: string,
    passkey: StoredPasskey,
  ): Promise<number | null> {
    const { id: expectedRPID, origin } = this.#party();
    const { publicKey, counter, transports } = passkey;
    const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
    const result = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: "public-key", response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID,
      requireUserVerification: true,
      credential: {
        id,
        counter,
        transports,
        publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")),
      },
    }).catch((cause: unknown) => {
      this.#dependencies.site.log.info("users.passkey_refused", { error: String(cause) });
      return null;
    });
    return result?.verified === true ? result.authenticationInfo.newCounter : null;
  }

  /** @throws ERR_USER_PASSKEY (409) with the reason. */
  #party(): RelyingParty {
    const { party } = this.#dependencies;
    if ("reason" in party) throw refused(409, "ERR_USER_PASSKEY", party.reason);
    return party;
  }
}

/** A challenge belongs to the session that requested it. */
function toPurpose(userId: string, session: string): string {
  return `add ${userId} ${session}`;
}

function shown({ id, name, synced, createdAt, lastUsedAt }: StoredPasskey): Passkey {
  return { id, name, synced, createdAt, lastUsedAt };
}

function refused(status: number, code: keyof typeof userErrors, message: string): HttpError {
  return new HttpError(status, message, { code });
}

function invalid(why: string, cause?: unknown): HttpError {
  const code: keyof typeof userErrors = "ERR_USER_PASSKEY_INVALID";
  return new HttpError(400, `response: ${why}`, { code, cause });
}

/** The site as authenticators know it. */
interface RelyingParty {
  /** The host name; passkeys belong to it. */
  readonly id: string;
  /** The origin of pages that use passkeys. */
  readonly origin: string;
}

/** The relying party of a site, or why browsers offer no passkeys there. */
function readRelyingParty(siteUrl: string): RelyingParty | PasskeyObstacle {
  const { hostname, origin, protocol } = new URL(siteUrl);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) {
    return {
      kind: "address",
      reason: `passkeys belong to a host name, and site.url has the address ${hostname}: set site.url to a name (localhost counts)`,
    };
  }
  if (protocol !== "https:" && !isLoopbackUrl(siteUrl)) {
    return {
      kind: "http",
      reason: `passkeys need https, and site.url is ${origin}: set site.url to https://…`,
    };
  }
  return { id: hostname, origin };
}

const CHALLENGE_SECONDS = 300;
const challengeShape = z.object({ challenge: z.string(), purpose: z.string(), until: z.number() });

/** The cookie that holds the sealed challenge of a browser. */
interface ChallengeCookie {
  readonly name: string;
  readonly path: string;
}

/** Starts and ends ceremonies; each browser has one challenge at a time. */
class Challenges {
  readonly #site: SiteContext;
  readonly #cookie: ChallengeCookie;

  constructor(site: SiteContext, cookie: ChallengeCookie) {
    this.#site = site;
    this.#cookie = cookie;
  }

  /** Starts a ceremony for a purpose, such as the session that adds a passkey. */
  async start({ res }: PasskeyExchange, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
    const { runtime } = this.#site;
    const challenge = new Uint8Array(randomBytes(32));
    const until = runtime.clock.now() + CHALLENGE_SECONDS * 1_000;
    const state = { challenge: Buffer.from(challenge).toString("base64url"), purpose, until };
    this.#setCookie(res, sealText(JSON.stringify(state), await this.#key()));
    return challenge;
  }

  /**
   * The challenge that this browser got for the purpose; it is used up.
   * @throws HttpError 400 for a missing, expired or used one.
   */
  async take({ req, res }: PasskeyExchange, purpose: string): Promise<string> {
    const text = openText(this.#cookieOf(req), await this.#key());
    const { data } = challengeShape.safeParse(text === null ? null : JSON.parse(text));
    this.#setCookie(res, "");
    const isValid = data?.purpose === purpose && data.until > this.#site.runtime.clock.now();
    const sessions = this.#site.use("session");
    if (!isValid || !(await sessions.claim(`passkey:${data.challenge}`, CHALLENGE_SECONDS))) {
      throw new HttpError(
        400,
        "the challenge is missing, expired or already used: request options",
        { code: "ERR_USER_PASSKEY_CHALLENGE" },
      );
    }
    return data.challenge;
  }

  #key(): Promise<Buffer> {
    return this.#site.use("session").secret(this.#cookie.name);
  }

  #cookieOf({ headers: { cookie = "" } }: PasskeyExchange["req"]): string {
    return new RegExp(`(?:^|;\\s*)${this.#cookie.name}=([\\w-]+)`).exec(cookie)?.[1] ?? "";
  }

  #setCookie(res: PasskeyExchange["res"], value: string): void {
    const { name, path } = this.#cookie;
    const age = value === "" ? 0 : CHALLENGE_SECONDS;
    const secure = this.#site.runtime.env.mode === "dev" ? "" : "; Secure";
    const header = `${name}=${value}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
    res.appendHeader("Set-Cookie", header);
  }
}
