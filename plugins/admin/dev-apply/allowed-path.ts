import { type ConfigFile, safeJoin } from "#kernel";
import type { ContentService, WriteRights } from "../../content/contract.js";
import { contentFileKind, type ContentFileKind } from "../write/page-source.js";
import type { Permission } from "../contract.js";
import type { Change } from "./changes.js";
import { flexPath } from "./site-files.js";

/** The target of a path in a batch; content paths are relative to the content folder. */
export type Target = ContentTarget | OutsideTarget;
/** A file outside of the content folder. */
export type OutsideTarget = ConfigTarget | FolderTarget;
interface ContentTarget {
  kind: "content";
  path: string;
  file: ContentFileKind;
}
interface ConfigTarget {
  kind: "config";
  file: ConfigFile;
}
interface FolderTarget {
  kind: "theme" | "flex";
  /** Relative to the site root. */
  path: string;
}

const CONFIG = /^(?:config\/)?(site|system|admin)\.yaml$/;
const FOLDERS = "content/, themes/, flex-objects/, data/flex/";
const MAX_NAME_BYTES = 255;

/** The folders of a site. */
export interface SiteFolders {
  root: string;
  /** Absolute. */
  content: string;
}
interface TargetRules extends SiteFolders, Pick<ContentService, "isPage"> {}

/** The target of a path, or why it must not be changed. */
export function parseTarget(path: string, folders: TargetRules): Target | string {
  const shown = JSON.stringify(path.slice(0, 120));
  const names = path.split("/");
  if (path === "" || safeJoin(folders.root, path) === null || names.some(isUnusable)) {
    return `path ${shown} is not a plain path below the site root`;
  }
  const config = toConfigFile(CONFIG.exec(path)?.[1]);
  if (config !== null) return { kind: "config", file: config };
  const [prefix, kind] = listPrefixes(folders).find(([folder]) => path.startsWith(folder)) ?? [];
  if (kind === "content") {
    const below = path.slice(prefix?.length);
    return { kind, path: below, file: contentFileKind(folders, below) };
  }
  if (kind !== undefined) return { kind, path };
  return `path ${shown} is neither in one of ${FOLDERS} nor a config file`;
}

function listPrefixes({ root, content }: SiteFolders): [string, "content" | "theme" | "flex"][] {
  return [
    [`${content.slice(root.length + 1)}/`, "content"],
    ["content/", "content"],
    ["themes/", "theme"],
    ["flex-objects/", "flex"],
    ["data/flex/", "flex"],
  ];
}

function isUnusable(name: string): boolean {
  return (
    name === "" ||
    name.startsWith(".") ||
    name.startsWith("~") ||
    /\p{Cc}/u.test(name) ||
    Buffer.byteLength(name) > MAX_NAME_BYTES
  );
}

function toConfigFile(name: string | undefined): ConfigFile | null {
  return name === "site" || name === "system" || name === "admin" ? name : null;
}

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
export function batchRights(rights: WriteRights): WriteRights {
  return {
    ...rights,
    refuse: (action, path, owners) => {
      const reason = rights.refuse(action === "create" ? "update" : action, path, owners);
      return reason ?? (action === "remove" ? rights.refuse("delete", path, owners) : null);
    },
  };
}

/** The first missing permission as an error; null when none is missing. */
export function lackingRight(needed: readonly Permission[], granted: Permissions): string | null {
  const lacking = needed.find((permission) => !granted.has(permission));
  return lacking === undefined ? null : `permission ${lacking} is needed`;
}

function kindPermissions(target: OutsideTarget): Permission[] {
  switch (target.kind) {
    case "config":
      return ["config.update"];
    case "theme":
      return ["plugins.manage"];
    case "flex":
      return flexPath(target.path).kind === "record" ? ["flex.write"] : ["config.update"];
  }
}
