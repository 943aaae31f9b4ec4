import type { SiteContext } from "#kernel";
import type { CustomRole, Permission, AdminIdentity } from "../contract.js";
import type { User } from "../../users/contract.js";
import { refusal } from "../errors.js";
import {
  isAboutPages,
  withinPaths,
  coversPatterns,
  isAboutRecords,
  listPatterns,
  type Limited,
} from "./rights.js";
import { BUILT_IN_ROLES, withIncluded } from "./permissions.js";

/** The rights that roles give together. */
export interface Rights {
  permissions: ReadonlySet<Permission>;
  /** Permissions that apply only to paths that match one of the patterns; the others apply everywhere. */
  paths: ReadonlyMap<Permission, readonly string[]>;
}
/** A role that opens the panel. */
export interface PanelRole extends CustomRole {
  name: string;
  builtIn: boolean;
}

/** The roles of the panel: the built-in ones and those of `roles` in admin.yaml. */
export class Roles {
  readonly #roles: ReadonlyMap<string, PanelRole>;

  constructor(custom: Readonly<Record<string, CustomRole>>) {
    const builtIn = [...BUILT_IN_ROLES].map(([name, permissions]) => {
      return { name, permissions, paths: null, builtIn: true };
    });
    const customRoles = Object.entries(custom).map(([name, role]) => ({
      name,
      ...role,
      builtIn: false,
    }));
    this.#roles = new Map([...builtIn, ...customRoles].map((role) => [role.name, role]));
  }

  /** The built-in roles first. */
  get all(): readonly PanelRole[] {
    return [...this.#roles.values()];
  }

  /** True when one of the roles opens the panel. */
  open(names: readonly string[]): boolean {
    return this.rightsOf(names).permissions.size > 0;
  }

  /** The rights of roles together; roles of visitors have none. */
  rightsOf(names: readonly string[]): Rights {
    const roles = names.flatMap((name) => this.#roles.get(name) ?? []).map(limitedRole);
    const permissions = new Set(roles.flatMap((role) => role.permissions));
    const paths = new Map<Permission, readonly string[]>();
    for (const permission of permissions) {
      const granting = roles.filter((role) => role.permissions.includes(permission));
      const patterns = granting.map((role) => (isAboutPages(permission) ? role.paths : null));
      // One role without paths grants the permission everywhere.
      if (patterns.every((each) => each !== null)) paths.set(permission, patterns.flat());
    }
    return { permissions, paths };
  }
}

/** The role with the permissions that its own include, and that its paths leave. */
function limitedRole(role: PanelRole): PanelRole {
  const permissions = withIncluded(role.permissions);
  return { ...role, permissions: role.paths === null ? permissions : withinPaths(permissions) };
}

/** Dependencies of decisions about accounts. */
interface RoleGrantDeps {
  readonly site: Pick<SiteContext, "use">;
  readonly account: { readonly roles: Roles };
}

/** Lists the `rights` that the identity lacks: `pages.publish`, or `pages.update for the whole site`. */
export function missingRights(identity: Limited, { permissions, paths }: Rights): string[] {
  return [...permissions].flatMap((permission) => {
    if (!identity.permissions.has(permission)) return [permission];
    const fields = identity.limits?.fields ?? null;
    const isAboutFields = isAboutPages(permission) || isAboutRecords(permission);
    if (fields !== null && isAboutFields) return [`${permission} for all fields`];
    const needed = paths.get(permission) ?? null;
    if (listPatterns(identity, permission).every((granted) => coversPatterns(granted, needed)))
      return [];
    return [`${permission} for ${needed === null ? "the whole site" : needed.join(", ")}`];
  });
}

/** @throws ERR_ADMIN_FORBIDDEN (403) naming what the identity lacks of the roles. */
export function assertMayGive(
  { account }: Pick<RoleGrantDeps, "account">,
  identity: AdminIdentity,
  names: readonly string[],
): void {
  const missing = missingRights(identity, account.roles.rightsOf(names));
  if (missing.length === 0) return;
  const quoted = names.map((name) => JSON.stringify(name)).join(", ");
  const roles = names.length === 1 ? `role ${quoted} allows` : `roles ${quoted} allow`;
  throw lacking(`${roles} what you may not do`, missing);
}

/**
 * Passwords, addresses, roles and the end of an account are its owner's rights in other hands.
 * @throws ERR_ADMIN_FORBIDDEN (403) naming what the identity lacks of the account's rights.
 */
export async function assertMayManage(
  { site, account }: RoleGrantDeps,
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
  return refusal(403, "ERR_ADMIN_FORBIDDEN", message);
}
