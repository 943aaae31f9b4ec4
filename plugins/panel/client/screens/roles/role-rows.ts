import type { Role } from "../../api/accounts/roles.js";

/** A role as the server uses it, or as the file has it. */
export interface RoleRow extends Role {
  /** What a restart of the server does with it; null: nothing, the file says the same. */
  readonly pending: "added" | "changed" | "removed" | null;
}

/** The running roles beside those of `roles` in admin.yaml; the file wins. Without the file: the running ones. */
export function roleRows(running: readonly Role[], file: unknown): readonly RoleRow[] {
  if (file === undefined) return running.map((role) => ({ ...role, pending: null }));
  const stored = storedRoles(file);
  const kept = running.map((role): RoleRow => {
    if (role.builtIn) return { ...role, pending: null };
    const next = stored.find(({ name }) => name === role.name);
    if (next === undefined) return { ...role, pending: "removed" };
    return { ...next, pending: isSame(role, next) ? null : "changed" };
  });
  const isNew = ({ name }: Role): boolean => running.every((role) => role.name !== name);
  return [...kept, ...stored.filter(isNew).map((role) => ({ ...role, pending: "added" as const }))];
}

function storedRoles(file: unknown): Role[] {
  if (typeof file !== "object" || file === null) return [];
  return Object.entries(file).map(([name, value]: [string, unknown]) => {
    const { permissions, paths }: { permissions?: unknown; paths?: unknown } = {
      ...toObject(value),
    };
    const limits = Array.isArray(paths) ? paths.map(String) : null;
    return { name, permissions: textsOf(permissions), paths: limits, builtIn: false };
  });
}

function toObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function isSame(one: Role, other: Role): boolean {
  const plain = ({ permissions, paths }: Role): string =>
    JSON.stringify([permissions.toSorted(), paths?.toSorted() ?? null]);
  return plain(one) === plain(other);
}
