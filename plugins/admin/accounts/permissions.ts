import type { Permission } from "../contract.js";

const EVERYBODY = [
  "pages.read",
  "pages.create",
  "pages.update",
  "media.upload",
  "flex.read",
  "submissions.read",
] as const satisfies readonly Permission[];
const EDITORS = [
  ...EVERYBODY,
  "pages.delete",
  "pages.publish",
  "media.delete",
  "flex.write",
  "comments.moderate",
  "redirects.update",
  "config.read",
] as const satisfies readonly Permission[];
const ADMINS = [
  ...EDITORS,
  "config.update",
  "users.manage",
  "plugins.manage",
] as const satisfies readonly Permission[];

/** Permissions of the roles that every site has. */
export const BUILT_IN_ROLES: ReadonlyMap<string, readonly Permission[]> = new Map<
  string,
  readonly Permission[]
>([
  ["admin", ADMINS],
  ["editor", EDITORS],
  ["author", EVERYBODY],
]);

/** Every permission. */
export const PERMISSIONS: readonly Permission[] = ADMINS;

/** True for the name of a permission. */
export function isPermission(name: string): name is Permission {
  return PERMISSIONS.some((permission) => permission === name);
}

/** The permissions with those that they include: redirects are keys of site.yaml. */
export function withIncluded(permissions: readonly Permission[]): readonly Permission[] {
  const isPlain =
    !permissions.includes("config.update") || permissions.includes("redirects.update");
  return isPlain ? permissions : [...permissions, "redirects.update"];
}
