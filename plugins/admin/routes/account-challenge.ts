/** Challenges of passkeys: bound to a browser, used once. */
import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import { z } from "zod";
import { HttpError } from "#kernel";
import { openText, sealText } from "../accounts/sealed-text.js";
import type { Exchange } from "./account-session.js";
import type { RouteParts } from "./route-parts.js";

const COOKIE = "site_admin_challenge";
const SECONDS = 300;
const shape = z.object({ challenge: z.string(), purpose: z.string(), until: z.number() });

/** Starts a ceremony for a purpose, such as the session that adds a passkey. */
export async function startChallenge(
  { site, admin }: RouteParts,
  { res }: Exchange,
  purpose: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32));
  const until = site.runtime.clock.now() + SECONDS * 1_000;
  const state = { challenge: Buffer.from(challenge).toString("base64url"), purpose, until };
  const value = sealText(JSON.stringify(state), await site.use("session").secret(COOKIE));
  setCookie(res, { value, path: admin.path, isSecure: site.runtime.env.mode !== "dev" });
  return challenge;
}

/**
 * The challenge that this browser got for the purpose; it is used up.
 * @throws HttpError 400 when there is none, it expired, or it was used.
 */
export async function takeChallenge(
  { site, admin }: RouteParts,
  { req, res }: Exchange,
  purpose: string,
): Promise<string> {
  const sessions = site.use("session");
  const text = openText(cookieOf(req), await sessions.secret(COOKIE));
  const { data } = shape.safeParse(text === null ? null : JSON.parse(text));
  setCookie(res, { value: "", path: admin.path, isSecure: site.runtime.env.mode !== "dev" });
  const isValid = data?.purpose === purpose && data.until > site.runtime.clock.now();
  if (!isValid || !(await sessions.claim(`passkey:${data.challenge}`, SECONDS))) {
    throw new HttpError(400, "the challenge is missing, expired or already used: request options");
  }
  return data.challenge;
}

function cookieOf({ headers: { cookie = "" } }: Request): string {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(cookie)?.[1] ?? "";
}

function setCookie(
  res: Response,
  { value, path, isSecure }: { value: string; path: string; isSecure: boolean },
): void {
  const age = value === "" ? 0 : SECONDS;
  const secure = isSecure ? "; Secure" : "";
  const header = `${COOKIE}=${value}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
  res.appendHeader("Set-Cookie", header);
}
