import type { SiteSettings } from "#kernel";
import type { UserStoreCreate } from "./contract.js";

/** Which stores the `auth` block asks for; without it accounts are files, roles those of the record. */
export function storeSettings(auth: SiteSettings["auth"]): UserStoreCreate["settings"] {
  if (auth === undefined) return { userStore: "local", authzStore: null };
  const isOwn = auth.mode === "dune";
  return { userStore: auth.userStore, authzStore: auth.authzStore ?? (isOwn ? "local" : null) };
}
