import type { List } from "./pages.js";
import { hooks, json } from "./request.js";

/** The own account. */
export interface OwnAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly username: string | null;
  readonly roles: readonly string[];
  readonly hasPassword: boolean;
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

/** Changes name and e-mail address; another address needs the current password. */
export function changeOwnAccount(change: Readonly<Record<string, string>>): Promise<OwnAccount> {
  return json("/me", { method: "PATCH", body: change });
}

/** Sets another password; all other sessions end. */
export async function changeOwnPassword(current: string, next: string): Promise<void> {
  const body = { current, next };
  useToken(await json<{ csrfToken: string | null }>("/me/password", { method: "POST", body }));
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
  useToken(await json<{ csrfToken: string | null }>("/me/sessions", { method: "DELETE" }));
}

/** The session continues under a new token. */
function useToken({ csrfToken }: { csrfToken: string | null }): void {
  hooks.csrfToken = csrfToken ?? "";
}
