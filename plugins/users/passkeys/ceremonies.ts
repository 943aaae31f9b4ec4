/** The ceremonies of WebAuthn: creating a passkey, and logging in with one. */
import { HttpError, type SiteContext } from "#kernel";
import type {
  AccountPasskeys,
  CreatedPasskey,
  Passkey,
  PasskeyExchange,
  PasskeyLogin,
  PasskeyObstacle,
  SignedPasskey,
  User,
} from "../contract.js";
import type { userErrors } from "../errors.js";
import type { Challenges } from "./challenges.js";
import { MAX_PASSKEYS, type PasskeyRecords, type StoredPasskey } from "./passkey-records.js";
import type { RelyingParty } from "./relying-party.js";

const LOGIN = "login";

/** Dependencies of the ceremonies. */
export interface CeremonyParts {
  readonly site: SiteContext;
  readonly party: RelyingParty | PasskeyObstacle;
  readonly challenges: Challenges;
  readonly records: PasskeyRecords;
}

/** Passkeys of accounts for one kind of session. */
export class Ceremonies implements AccountPasskeys {
  readonly #parts: CeremonyParts;

  constructor(parts: CeremonyParts) {
    this.#parts = parts;
  }

  async list(userId: string): Promise<readonly Passkey[]> {
    return (await this.#parts.records.list(userId)).map(shown);
  }

  async creationOptions(
    exchange: PasskeyExchange,
    { user, session }: { user: Pick<User, "id" | "email" | "name">; session: string },
  ): Promise<{ challenge: string }> {
    const { site, records, challenges } = this.#parts;
    const { id: rpID } = this.#party();
    const known = await records.list(user.id);
    if (known.length >= MAX_PASSKEYS) {
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
      challenge: await challenges.start(exchange, purposeOf(user.id, session)),
      attestationType: "none",
      excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
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
    const challenge = await this.#parts.challenges.take(exchange, purposeOf(userId, session));
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
    const passkey = await this.#parts.records.add(userId, {
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
    const renamed = await this.#parts.records.rename(userId, id, name);
    return renamed === null ? null : shown(renamed);
  }

  remove(userId: string, id: string): Promise<boolean> {
    return this.#parts.records.remove(userId, id);
  }

  forget(userId: string): Promise<void> {
    return this.#parts.records.forget(userId);
  }

  async requestOptions(exchange: PasskeyExchange): Promise<{ challenge: string }> {
    const { id: rpID } = this.#party();
    const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
    const challenge = await this.#parts.challenges.start(exchange, LOGIN);
    return generateAuthenticationOptions({ rpID, challenge, userVerification: "required" });
  }

  async open(exchange: PasskeyExchange, response: SignedPasskey): Promise<PasskeyLogin> {
    const challenge = await this.#parts.challenges.take(exchange, LOGIN);
    const handle = Buffer.from(response.response.userHandle, "base64url").toString("utf8");
    const found = await this.#parts.records.find(handle, response.id);
    if (found === null) return { userId: null, isProven: () => Promise.resolve(false) };
    const { userId, passkey } = found;
    return {
      userId,
      isProven: async () => {
        const counter = await this.#verified(response, { challenge, passkey });
        return counter !== null && this.#parts.records.use(userId, passkey.id, counter);
      },
    };
  }

  /** The new counter; null when the signature is of another key, page or challenge. */
  async #verified(
    { id, response }: SignedPasskey,
    { challenge, passkey }: { challenge: string; passkey: StoredPasskey },
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
      this.#parts.site.log.info("users.passkey_refused", { error: String(cause) });
      return null;
    });
    return result?.verified === true ? result.authenticationInfo.newCounter : null;
  }

  /** @throws ERR_USER_PASSKEY (409) with the reason. */
  #party(): RelyingParty {
    const { party } = this.#parts;
    if ("reason" in party) throw refused(409, "ERR_USER_PASSKEY", party.reason);
    return party;
  }
}

/** A challenge belongs to the session that requested it. */
function purposeOf(userId: string, session: string): string {
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
