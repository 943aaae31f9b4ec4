import { lstat, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { safeJoin } from "#kernel";
import type { ConfigFile } from "#kernel/internal";
import type { ContentService } from "../../content/contract.js";
import { contentFileKind, type ContentFileKind } from "../write/page-source.js";

/** The target of a path in a batch; content paths are relative to the content folder. */
export type Target =
  | { kind: "content"; path: string; file: ContentFileKind }
  | { kind: "config"; file: ConfigFile }
  | { kind: "theme" | "flex"; path: string };

const CONFIG = /^(?:config\/)?(site|system|admin)\.yaml$/;
const FOLDERS = "content/, themes/, flex-objects/, data/flex/";
const MAX_NAME_BYTES = 255;

/** The folders of a site. */
export interface SiteFolders {
  root: string;
  /** Absolute. */
  content: string;
}
type TargetParts = SiteFolders & Pick<ContentService, "isPage">;

/** The target of a path, or why it must not be changed. */
export function targetOf(path: string, folders: TargetParts): Target | string {
  const shown = JSON.stringify(path.slice(0, 120));
  const names = path.split("/");
  if (path === "" || safeJoin(folders.root, path) === null || names.some(isUnusable)) {
    return `path ${shown} is not a plain path below the site root`;
  }
  const config = configFileOf(CONFIG.exec(path)?.[1]);
  if (config !== null) return { kind: "config", file: config };
  const [prefix, kind] = prefixesOf(folders).find(([folder]) => path.startsWith(folder)) ?? [];
  if (kind === "content") {
    const below = path.slice(prefix?.length);
    return { kind, path: below, file: contentFileKind(folders, below) };
  }
  if (kind !== undefined) return { kind, path };
  return `path ${shown} is neither in one of ${FOLDERS} nor a config file`;
}

/**
 * Why the file system forbids a path: a symbolic link in or at the end of it; null when allowed.
 */
export async function linkProblem(root: string, path: string): Promise<string | null> {
  const target = join(root, path);
  const stats = await lstat(target).catch(() => null);
  if (stats?.isSymbolicLink() === true) return `path ${JSON.stringify(path)} is a link`;
  if (stats?.isDirectory() === true) return `path ${JSON.stringify(path)} is a folder`;
  const real = await realpath(root);
  for (let at = dirname(target); ; at = dirname(at)) {
    const found = await realpath(at).catch(() => null);
    if (found === null) continue;
    const expected = at.slice(root.length);
    const isSame = found === real + expected && (found === real || found.startsWith(real + sep));
    return isSame ? null : `path ${JSON.stringify(path)} leads through a link`;
  }
}

function prefixesOf({ root, content }: SiteFolders): [string, "content" | "theme" | "flex"][] {
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

function configFileOf(name: string | undefined): ConfigFile | null {
  return name === "site" || name === "system" || name === "admin" ? name : null;
}
