import type { SiteSettings } from "#kernel";
import type { UserStoreCreate } from "./contract.js";

/**
 * The stores chosen in the `auth` block. Without it, accounts are files and roles come from the
 * record.
 */
export function storeSettings(auth: SiteSettings["auth"]): UserStoreCreate["settings"] {
  if (auth === undefined) return { userStore: "local", authzStore: null };
  const isOwn = auth.mode === "dune";
  return { userStore: auth.userStore, authzStore: auth.authzStore ?? (isOwn ? "local" : null) };
}
