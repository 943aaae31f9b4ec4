import {
  BUILT_IN_ROLES,
  PERMISSIONS,
  PERMISSION_TEXTS,
} from "../../plugins/admin/accounts/permissions.js";
import { code, table } from "./table.js";

/** Every permission with what it allows, and the built-in roles that have it. */
export function permissionTable(): string {
  const rows = PERMISSIONS.map((name) => {
    const roles = [...BUILT_IN_ROLES]
      .filter(([, permissions]) => permissions.includes(name))
      .map(([role]) => role);
    return [code(name), PERMISSION_TEXTS[name].en.description, roles.toReversed().join(", ")];
  });
  return table(["Permission", "What it allows", "Built-in roles"], rows);
}
