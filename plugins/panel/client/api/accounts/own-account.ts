import type { List } from "../content/pages.js";
import { hooks, json } from "../request.js";

/** The own account. */
export interface OwnAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly username: string | null;
  readonly roles: readonly string[];
  readonly hasPassword: boolean;
  /** A new address that a link sent to it has not confirmed yet. */
  readonly pendingEmail: string | null;
  /** The connection with the OpenID provider; null without one in the settings. */
  readonly oidc: ProviderLink | null;
}
/** The link of an account to the OpenID provider. */
export interface ProviderLink {
  /** Name of the provider. */
  readonly label: string;
  readonly linked: boolean;
  /** False for an account that the provider created. */
  readonly removable: boolean;
}
/** A browser that is signed in. */
export interface OwnSession {
  readonly id: string;
  /** `Firefox 141 on Linux` */
  readonly device: string;
  readonly address: string;
  /** Unix ms. */
  readonly lastSeenAt: number;
  readonly current: boolean;
}

/** A step of the guide for new accounts. */
export interface FirstStep {
  readonly name: "password" | "title" | "page";
  readonly done: boolean;
}

/** The guide for new accounts. */
export function readFirstSteps(): Promise<{ dismissed: boolean; steps: readonly FirstStep[] }> {
  return json("/me/first-steps");
}

/** Hides the guide for good. */
export function hideFirstSteps(): Promise<unknown> {
  return json("/me/first-steps", { method: "DELETE" });
}

/** The own account. */
export function readAccount(): Promise<OwnAccount> {
  return json("/me");
}

/** Changes the name; another address needs the current password, and a link sent to it confirms it. */
export function changeOwnAccount(change: Readonly<Record<string, string>>): Promise<OwnAccount> {
  return json("/me", { method: "PATCH", body: change });
}

/** Sets another password; all other sessions end. */
export async function changeOwnPassword(current: string, next: string): Promise<void> {
  const body = { current, next };
  useToken(await json<NewToken>("/me/password", { method: "POST", body }));
}

/** Starts to connect the account with the OpenID provider; returns the provider's address to open. */
export async function connectProvider(current: string): Promise<string> {
  const body = { current };
  return (await json<{ url: string }>("/me/oidc", { method: "POST", body })).url;
}

/** Disconnects the account from the OpenID provider. */
export function disconnectProvider(current: string): Promise<unknown> {
  return json("/me/oidc", { method: "DELETE", body: { current } });
}

/** All browsers that are signed in to the account. */
export function listOwnSessions(): Promise<List<OwnSession>> {
  return json("/me/sessions");
}

/** Ends one session. */
export function endSession(id: string): Promise<unknown> {
  return json(`/me/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
}

/** Ends all sessions but this one. */
export async function endOtherSessions(): Promise<void> {
  useToken(await json<NewToken>("/me/sessions", { method: "DELETE" }));
}

interface NewToken {
  /** Sent with every change from now on; null: the response holds none. */
  readonly csrfToken: string | null;
}

/** The session continues under a new token. */
function useToken({ csrfToken }: NewToken): void {
  hooks.csrfToken = csrfToken ?? "";
}
