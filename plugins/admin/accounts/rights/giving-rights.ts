/** No account gives more rights than it has: compares the rights of an identity with those of roles and accounts. */
import type { SiteContext } from "#kernel";
import type { User } from "../../../users/contract.js";
import type { AdminIdentity } from "../../contract.js";
import { refusal } from "../../refusals.js";
import {
  coversPatterns,
  isAboutPages,
  isAboutRecords,
  patternsOf,
  type Limited,
} from "../path-rights.js";
import type { Rights, Roles } from "../roles.js";

/** Dependencies of decisions about accounts. */
export interface GivingParts {
  readonly site: Pick<SiteContext, "use">;
  readonly account: { readonly roles: Roles };
}

/** What of `rights` the identity lacks: `pages.publish`, or `pages.update for the whole site`. */
export function missingRights(identity: Limited, { permissions, paths }: Rights): string[] {
  return [...permissions].flatMap((permission) => {
    if (!identity.permissions.has(permission)) return [permission];
    const fields = identity.limits?.fields ?? null;
    const isAboutFields = isAboutPages(permission) || isAboutRecords(permission);
    if (fields !== null && isAboutFields) return [`${permission} for all fields`];
    const wanted = paths.get(permission) ?? null;
    if (patternsOf(identity, permission).every((own) => coversPatterns(own, wanted))) return [];
    return [`${permission} for ${wanted === null ? "the whole site" : wanted.join(", ")}`];
  });
}

/** @throws ERR_ADMIN_FORBIDDEN (403) naming what the identity lacks of the roles. */
export function assertMayGive(
  { account }: Pick<GivingParts, "account">,
  identity: AdminIdentity,
  names: readonly string[],
): void {
  const missing = missingRights(identity, account.roles.rightsOf(names));
  if (missing.length === 0) return;
  const given = names.map((name) => JSON.stringify(name)).join(", ");
  const roles = names.length === 1 ? `role ${given} allows` : `roles ${given} allow`;
  throw lacking(`${roles} what you may not do`, missing);
}

/**
 * Passwords, addresses, roles and the end of an account are its owner's rights in other hands.
 * @throws ERR_ADMIN_FORBIDDEN (403) naming what the identity lacks of the account's rights.
 */
export async function assertMayManage(
  { site, account }: GivingParts,
  identity: AdminIdentity,
  user: User,
): Promise<void> {
  const rights = account.roles.rightsOf(await site.use("users").rolesOf(user));
  const missing = missingRights(identity, rights);
  if (missing.length > 0) throw lacking("the account may do what you may not", missing);
}

/** A refusal that names what is missing. */
export function lacking(what: string, missing: readonly string[]): Error {
  const message = `${what}: ${missing.join(", ")}; ask an account that has these permissions`;
  return refusal(403, "ERR_ADMIN_FORBIDDEN", { message });
}
