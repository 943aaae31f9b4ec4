import type { SiteContext } from "#kernel";
import type { CustomRole, OwnPages, Permission, AdminIdentity } from "../contract.js";
import type { User } from "../../users/contract.js";
import { refusal } from "../errors.js";
import {
  isAboutOwners,
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
  /** Permissions that apply only to pages of one's own, and to all that match one of the patterns. */
  own: OwnPages["permissions"];
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
      return { name, permissions, paths: null, pages: "all", builtIn: true } as const;
    });
    const customRoles = Object.entries(custom).map(([name, role]) => ({
      name,
      ...role,
      builtIn: false,
    }));
    this.#roles = new Map([...builtIn, ...customRoles].map((role) => [role.name, role]));
    this.hasOwnPages = Object.values(custom).some(({ pages }) => pages === "own");
  }

  /** True when accounts own pages: a role has `pages: own`. */
  readonly hasOwnPages: boolean;

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
    const own = new Map<Permission, readonly string[]>();
    for (const permission of permissions) {
      const granting = roles.filter((role) => role.permissions.includes(permission));
      const patterns = granting.map((role) => (isAboutPages(permission) ? role.paths : null));
      // One role without paths grants the permission everywhere.
      if (patterns.every((each) => each !== null)) paths.set(permission, patterns.flat());
      const isOwn = granting.some(({ pages }) => pages === "own");
      if (!isOwn || !isAboutOwners(permission)) continue;
      const forAll = granting.filter(({ pages }) => pages === "all").map((role) => role.paths);
      if (forAll.every((each) => each !== null)) own.set(permission, forAll.flat());
    }
    return { permissions, paths, own };
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

/**
 * Lists the `rights` that the identity lacks: `pages.publish`, `pages.update for the whole site`, or `pages.update for
 * pages of others`.
 */
export function missingRights(identity: Limited, { permissions, paths, own }: Rights): string[] {
  return [...permissions].flatMap((permission) => {
    if (!identity.permissions.has(permission)) return [permission];
    const fields = identity.limits?.fields ?? null;
    const isAboutFields = isAboutPages(permission) || isAboutRecords(permission);
    if (fields !== null && isAboutFields) return [`${permission} for all fields`];
    const needed = paths.get(permission) ?? null;
    const forAll = identity.ownPages?.permissions.get(permission);
    const ofOthers = own.has(permission) ? (own.get(permission) ?? []) : needed;
    if (forAll !== undefined && !coversPatterns(forAll, ofOthers)) {
      return [`${permission} for pages of others`];
    }
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
  // The pages that the account owns are not those of the identity.
  const missing = missingRights(identity, { ...rights, own: new Map() });
  if (missing.length > 0) throw lacking("the account may do what you may not", missing);
}

/** A refusal that names what is missing. */
export function lacking(what: string, missing: readonly string[]): Error {
  const message = `${what}: ${missing.join(", ")}; ask an account that has these permissions`;
  return refusal(403, "ERR_ADMIN_FORBIDDEN", message);
}
