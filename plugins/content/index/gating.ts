/** Front matter `roles`: access to a page. */
import type { PageEntry, RolesRule, Viewer } from "../contract.js";

/**
 * Parses a `roles` value: null without a rule, "invalid" for a malformed one (a typo must not make a
 * page public). Empty lists, or `any` on its own, admit any logged-in visitor.
 */
export function parseRoles(value: unknown): RolesRule | null | "invalid" {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "string" || Array.isArray(value)) {
    const all = roleList(value);
    return all === null ? "invalid" : { all: all.filter((role) => role !== "any"), any: [] };
  }
  return typeof value === "object" ? parseRule(value) : "invalid";
}

function parseRule(rule: object): RolesRule | "invalid" {
  const entries = Object.entries(rule);
  const isKnown = entries.every(([key]) => key === "all" || key === "any");
  if (entries.length === 0 || !isKnown) return "invalid";
  const all = "all" in rule ? roleList(rule.all) : [];
  const any = "any" in rule ? roleList(rule.any) : [];
  return all === null || any === null ? "invalid" : { all, any };
}

function roleList(value: unknown): string[] | null {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const roles = list.filter(
    (role): role is string => typeof role === "string" && role.trim() !== "",
  );
  return roles.length === list.length ? roles.map((role) => role.trim()) : null;
}

/** True when the viewer's roles satisfy the rule. */
export function meetsRoles(rule: RolesRule | null, viewer: Viewer): boolean {
  if (rule === null) return true;
  const roles = viewer.roles;
  if (roles === null) return false;
  if (!rule.all.every((role) => roles.includes(role))) return false;
  return rule.any.length === 0 || rule.any.some((role) => roles.includes(role));
}

/** True when a visitor can satisfy `next` without satisfying `before`. */
export function letsInMore(before: RolesRule | null, next: RolesRule | null): boolean {
  if (before === null) return false;
  if (next === null) return true;
  // Additional roles never revoke access, so the minimal sets suffice.
  const fewest = next.any.length === 0 ? [next.all] : next.any.map((role) => [...next.all, role]);
  return fewest.some((roles) => !meetsRoles(before, { roles, seesUnpublished: false }));
}

/** True when the page is open at the viewer's moment, regardless of its roles. */
export function isOpened({ moment }: Viewer, { sourcePath }: PageEntry): boolean {
  return moment?.opens === "*" || moment?.opens === sourcePath;
}

/** True when the viewer may see the page before its release, regardless of its roles. */
export function seesUnpublished(viewer: Viewer, { roles }: Pick<PageEntry, "roles">): boolean {
  return viewer.seesUnpublished && !(viewer.onlyOpen === true && roles !== null);
}
