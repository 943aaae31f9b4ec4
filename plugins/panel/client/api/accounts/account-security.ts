import type { List } from "../content/pages.js";
import { json } from "../request.js";
import type { Passkey } from "../../../../users/contract.js";

export type { Passkey } from "../../../../users/contract.js";

/** The state of codes of an authenticator app for sign-in. */
export interface TotpStatus {
  readonly enabled: boolean;
  /** Unix ms. */
  readonly confirmedAt: number | null;
  readonly recoveryCodesLeft: number;
}
/** A secret for an authenticator app, which a code confirms. */
export interface TotpSecret {
  /** Base32, to type in. */
  readonly secret: string;
  /** SVG. */
  readonly qr: string;
}
/** The own passkeys. */
export interface Passkeys extends List<Passkey> {
  /** False on sites that can have none, with the reason. */
  readonly available: boolean;
  readonly reason?: string;
}

/** Reads whether the account of the person needs codes. */
export function readTotp(): Promise<TotpStatus> {
  return json("/me/totp");
}

/** Creates a secret. @throws ApiError 403 for a wrong password. */
export function beginTotp(current: string): Promise<TotpSecret> {
  return json("/me/totp", { method: "POST", body: { current } });
}

/** Confirms the secret with a code; returns the recovery codes. */
export async function confirmTotp(code: string): Promise<readonly string[]> {
  return codesOf("/me/totp/confirm", { code });
}

/** Creates ten recovery codes in place of the former ones. */
export async function renewRecoveryCodes(current: string): Promise<readonly string[]> {
  return codesOf("/me/totp/recovery-codes", { current });
}

/** Stops needing codes. */
export function removeTotp(current: string): Promise<unknown> {
  return json("/me/totp", { method: "DELETE", body: { current } });
}

async function codesOf(path: string, body: object): Promise<readonly string[]> {
  const { recoveryCodes } = await json<{ recoveryCodes: string[] }>(path, { method: "POST", body });
  return recoveryCodes;
}

/** The own passkeys. */
export function listPasskeys(): Promise<Passkeys> {
  return json("/me/passkeys");
}

/** Asks the browser for a new passkey and stores it. @throws ApiError, or why the browser made none. */
export async function addPasskey(name: string, current: string): Promise<void> {
  const path = "/me/passkeys/options";
  const options = await json<PublicKeyCredentialCreationOptionsJSON>(path, {
    method: "POST",
    body: current === "" ? {} : { current },
  });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey was created");
  await json("/me/passkeys", { method: "POST", body: { name, response: credential.toJSON() } });
}

/** Gives a passkey another name. */
export function renamePasskey(id: string, name: string): Promise<unknown> {
  return json(`/me/passkeys/${encodeURIComponent(id)}`, { method: "PATCH", body: { name } });
}

/** Removes a passkey. */
export function removePasskey(id: string): Promise<unknown> {
  return json(`/me/passkeys/${encodeURIComponent(id)}`, { method: "DELETE" });
}
