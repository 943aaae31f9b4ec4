/** Challenges of passkeys: bound to a browser and a purpose, used once. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { HttpError, type SiteContext } from "#kernel";
import { openText, sealText } from "#kernel/internal";
import type { PasskeyExchange } from "../contract.js";

const SECONDS = 300;
const shape = z.object({ challenge: z.string(), purpose: z.string(), until: z.number() });

/** The cookie that holds the sealed challenge of a browser. */
export interface ChallengeCookie {
  readonly name: string;
  readonly path: string;
}

/** Starts and ends ceremonies; each browser has one challenge at a time. */
export class Challenges {
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
    const until = runtime.clock.now() + SECONDS * 1_000;
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
    const { data } = shape.safeParse(text === null ? null : JSON.parse(text));
    this.#setCookie(res, "");
    const isValid = data?.purpose === purpose && data.until > this.#site.runtime.clock.now();
    const sessions = this.#site.use("session");
    if (!isValid || !(await sessions.claim(`passkey:${data.challenge}`, SECONDS))) {
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
    const age = value === "" ? 0 : SECONDS;
    const secure = this.#site.runtime.env.mode === "dev" ? "" : "; Secure";
    const header = `${name}=${value}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
    res.appendHeader("Set-Cookie", header);
  }
}
