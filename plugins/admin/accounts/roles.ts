import type { CustomRole, Permission } from "../contract.js";
import { isAboutPages, withinPaths } from "./path-rights.js";
import { BUILT_IN_ROLES, withIncluded } from "./permissions.js";

/** What roles allow together. */
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
    const own = Object.entries(custom).map(([name, role]) => ({ name, ...role, builtIn: false }));
    this.#roles = new Map([...builtIn, ...own].map((role) => [role.name, role]));
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
