/** Keys whose values are folders: one form for their values, and one rule for where they may lie. */
import { resolve } from "node:path";
import * as z from "zod";
import { formatKey, type KeyPath, isRecord } from "#lib/values";
import { containsPath, isSystemFolder, overlaps, safeJoin } from "#lib/files";
import { childSchema, metaOf, schemaKeys, type FolderUse, type Schema } from "#lib/schema";
import type { ConfigFile, Settings, SettingsProblem } from "../contracts.js";
import type { MergedSchemas } from "./merge-schemas.js";

const FILES: readonly ConfigFile[] = ["site", "system", "admin"];
/** Folders of the site root that are served, or read as content or configuration. */
const OTHERS: readonly string[] = ["themes", "flex-objects", "blueprints", "forms", "config"];
const CACHE = ".dune/cache";
/** The value of a key: a folder in the site root, with slashes. Only accounts that may run code change it. */
export function siteFolder(use: FolderUse): z.ZodString {
  return z
    .string()
    .refine((value) => !/\p{Cc}/u.test(value) && safeJoin("/site", value)?.startsWith("/site/"), {
      error: "a folder in the site root",
      params: { fix: "write a relative path without `..`" },
    })
    .meta({ folder: use, privileged: true });
}

/** A declared key, and the folder that it names. */
interface FolderKey {
  readonly file: ConfigFile;
  readonly path: KeyPath;
  readonly value: string;
  /** Absolute. */
  readonly folder: string;
  readonly use: FolderUse;
}

/** The configuration that is checked. */
export interface FolderCheck {
  /** Absolute site root. */
  readonly root: string;
  readonly schemas: MergedSchemas;
  readonly settings: Settings;
  /** True when a file sets the key. */
  isSet(file: ConfigFile, path: KeyPath): boolean;
}

/**
 * The rule: the folders of two keys are apart, and apart from the folders that the site serves or reads. What
 * one owner keeps secret, publishes or deletes is then never in the folder of another one.
 */
export function folderProblems({ root, schemas, settings, isSet }: FolderCheck): SettingsProblem[] {
  const all = FILES.flatMap((file) => listKeys(schemas[file], settings[file], { file, root }));
  // Backups beside the site are not in its folders.
  const keys = all.filter(({ folder }) => folder === root || !containsPath(folder, root));
  const problems = new Map<FolderKey, SettingsProblem>();
  const add = (key: FolderKey, clash: string): void => {
    if (!problems.has(key)) problems.set(key, toProblem(key, clash));
  };
  for (const key of all) {
    if (!containsPath(root, key.folder) && isSystemFolder(key.folder))
      add(key, "the folders of the operating system");
  }
  for (const [at, key] of keys.entries()) {
    const clash = fixedFolders(root, key).find(({ folder }) => overlaps(key.folder, folder));
    if (clash !== undefined) add(key, JSON.stringify(clash.name));
    for (const other of keys.slice(0, at)) {
      if (!overlaps(key.folder, other.folder)) continue;
      const isOthers = isSet(other.file, other.path) && !isSet(key.file, key.path);
      const [named, by] = isOthers ? [other, key] : [key, other];
      add(named, `${JSON.stringify(by.value)} (${formatKey(by.path)})`);
    }
  }
  return [...problems.values()];
}

interface SettingPosition {
  file: ConfigFile;
  /** The site root, which relative folders begin at. */
  root: string;
  /** Absent: the top of the file. */
  path?: KeyPath;
}

function listKeys(
  schema: Schema,
  value: unknown,
  { file, root, path = [] }: SettingPosition,
): FolderKey[] {
  const { folder: use } = metaOf(schema);
  if (typeof value === "string") {
    return use === undefined ? [] : [{ file, path, value, folder: resolve(root, value), use }];
  }
  if (!isRecord(value)) return [];
  return schemaKeys(schema).flatMap((name) => {
    const child = childSchema(schema, name);
    const position = { file, root, path: [...path, name] };
    return child === undefined ? [] : listKeys(child, value[name], position);
  });
}

/** The folders without a key that this one must be apart from. */
function fixedFolders(root: string, { use }: FolderKey): { name: string; folder: string }[] {
  const names = [...(use === "content" ? [] : OTHERS), ...(use === "cache" ? [] : [CACHE])];
  return names.map((name) => ({ name, folder: resolve(root, name) }));
}

function toProblem({ file, path, value }: FolderKey, clash: string): SettingsProblem {
  return {
    file,
    key: formatKey(path),
    received: value,
    expected: `a folder apart from ${clash}`,
    fix: "choose a folder of its own, which contains nothing else",
  };
}
