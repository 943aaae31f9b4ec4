import type { Permission } from "../contract.js";
import { isCode } from "../write/page-source.js";
import type { Target } from "./allowed-path.js";
import type { Change } from "./changes.js";
import { flexPath } from "./write.js";

/** Permissions of the sender of a batch. */
export type Permissions = ReadonlySet<Permission>;

/** Permissions a change needs beside `pages.update`; publishing is checked separately. */
export function permissionsFor(change: Change, target: Target | null): Permission[] {
  if (change.op === "config") return ["config.update"];
  if (change.op === "plugin.install") return ["plugins.manage"];
  const needed = target === null ? [] : kindPermissions(target, change.op);
  return change.op === "delete" ? ["pages.delete", ...needed] : needed;
}

/** The first missing permission as an error; null when none is missing. */
export function lackingRight(needed: readonly Permission[], own: Permissions): string | null {
  const lacking = needed.find((permission) => !own.has(permission));
  return lacking === undefined ? null : `permission ${lacking} is needed`;
}

function kindPermissions(target: Target, op: Change["op"]): Permission[] {
  switch (target.kind) {
    case "config":
      return ["config.update"];
    case "theme":
      return ["plugins.manage"];
    case "flex":
      return flexPath(target.path).kind === "record" ? ["flex.write"] : ["config.update"];
    case "content":
      if (target.file !== "page") return [op === "delete" ? "media.delete" : "media.upload"];
      return isCode(target.path) ? ["plugins.manage"] : [];
  }
}
