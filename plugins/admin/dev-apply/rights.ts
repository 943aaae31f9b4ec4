import type { WriteRights } from "../../content/contract.js";
import type { Permission } from "../contract.js";
import type { Target } from "./allowed-path.js";
import type { Change } from "./changes.js";
import { flexPath } from "./site-files.js";

/** Permissions of the sender of a batch. */
export type Permissions = ReadonlySet<Permission>;

/**
 * Permissions that a change outside of the content folder needs beside `pages.update`; the write path decides about
 * content files, and about showing a record.
 */
export function permissionsFor(change: Change, target: Target | null): Permission[] {
  if (change.op === "config") return ["config.update"];
  if (change.op === "plugin.install") return ["plugins.manage"];
  if (target === null || target.kind === "content") return [];
  const needed = kindPermissions(target);
  return change.op === "delete" ? ["pages.delete", ...needed] : needed;
}

/**
 * The rights to content files: a batch creates pages with the permission to change them, and deletes files of any
 * kind with the permission to delete pages.
 */
export function batchRights({ fields, refuse }: WriteRights): WriteRights {
  return {
    fields,
    refuse: (action, path) => {
      const reason = refuse(action === "create" ? "update" : action, path);
      return reason ?? (action === "remove" ? refuse("delete", path) : null);
    },
  };
}

/** The first missing permission as an error; null when none is missing. */
export function lackingRight(needed: readonly Permission[], own: Permissions): string | null {
  const lacking = needed.find((permission) => !own.has(permission));
  return lacking === undefined ? null : `permission ${lacking} is needed`;
}

function kindPermissions(target: Exclude<Target, { kind: "content" }>): Permission[] {
  switch (target.kind) {
    case "config":
      return ["config.update"];
    case "theme":
      return ["plugins.manage"];
    case "flex":
      return flexPath(target.path).kind === "record" ? ["flex.write"] : ["config.update"];
  }
}
