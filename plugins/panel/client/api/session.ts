import { signal } from "@preact/signals";
import { boot } from "../boot.js";
import { ApiError, call, hooks, OfflineError, type Answer } from "./request.js";

/** The signed-in account with its rights. */
export type Session = Answer<"GET /session">;

/** Null until loaded. */
export const session = signal<Session | null>(null);

/** Something with the permissions of the account that do not apply to it: a page, an entry of the trash. */
interface Limiting {
  readonly lacks?: readonly string[] | undefined;
}

/** True when the account has the permission; with `of`, for this page or entry. */
export function may(permission: string, { lacks = [] }: Limiting = {}): boolean {
  if (lacks.includes(permission)) return false;
  return permission === "any" || (session.value?.permissions.includes(permission) ?? false);
}

/** True when the account has the permission for all pages, not only below some paths. */
export function mayEverywhere(permission: string): boolean {
  return may(permission) && session.value?.paths[permission] === undefined;
}

/** Loads the account. @throws ApiError 401 without a session. */
export async function loadSession(): Promise<void> {
  const next = await call("GET /session");
  session.value = next;
  hooks.csrfToken = next.csrfToken ?? "";
}

/**
 * Signs in; a session of another account is accepted too: the caller compares.
 * @throws ApiError with the reason, OfflineError.
 */
export async function signIn(credentials: Readonly<Record<string, string>>): Promise<Session> {
  const response = await fetch(`${boot.path}/login`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(credentials),
  }).catch((error: unknown) => {
    throw new OfflineError(String(error));
  });
  const body: Record<string, unknown> = await response.json();
  if (!response.ok) throw new ApiError(response.status, body);
  await loadSession();
  if (session.value === null) throw new ApiError(401, body);
  return session.value;
}

/** Ends the session and shows the login page. */
export async function signOut(): Promise<void> {
  await fetch(`${boot.path}/logout`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": hooks.csrfToken },
    body: "{}",
  });
  location.assign(`${boot.path}/login`);
}
