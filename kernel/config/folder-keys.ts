/** Keys whose values are folders: one form for their values, and one rule for where they may lie. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import * as z from "zod";
import { formatKey, type KeyPath, isRecord } from "#lib/values";
import { safeJoin } from "#lib/files";
import { childSchema, metaOf, schemaKeys, type FolderUse, type Schema } from "#lib/schema";
import type { ConfigFile, Settings, SettingsProblem } from "../contracts.js";
import type { MergedSchemas } from "./merge-schemas.js";

const FILES: readonly ConfigFile[] = ["site", "system", "admin"];
/** Folders of the site root that are served, or read as content or configuration. */
const OTHERS: readonly string[] = ["themes", "flex-objects", "blueprints", "forms", "config"];
const CACHE = ".dune/cache";
/** Folders of the operating system, with all below them. */
const SYSTEM: readonly string[] = [
  "bin",
  "boot",
  "etc",
  "lib",
  "lib64",
  "proc",
  "sbin",
  "sys",
  "usr",
];

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

/** The value of a key: a folder in the site root, or an absolute path. */
export function anyFolder(use: FolderUse): z.ZodString {
  return z.string().min(1).meta({ folder: use, privileged: true });
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
  const all = FILES.flatMap((file) => keysIn(schemas[file], settings[file], { file, root }));
  const keys = all.filter(({ folder }) => !isAround(root, folder));
  const problems = new Map<FolderKey, SettingsProblem>();
  const add = (key: FolderKey, clash: string): void => {
    if (!problems.has(key)) problems.set(key, problemOf(key, clash));
  };
  for (const key of all) {
    if (isOfSystem(root, key.folder)) add(key, "the folders of the operating system");
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

interface SettingPlace {
  file: ConfigFile;
  /** The site root, which relative folders begin at. */
  root: string;
  /** Absent: the top of the file. */
  path?: KeyPath;
}

function keysIn(
  schema: Schema,
  value: unknown,
  { file, root, path = [] }: SettingPlace,
): FolderKey[] {
  const { folder: use } = metaOf(schema);
  if (typeof value === "string") {
    return use === undefined ? [] : [{ file, path, value, folder: resolve(root, value), use }];
  }
  if (!isRecord(value)) return [];
  return schemaKeys(schema).flatMap((name) => {
    const child = childSchema(schema, name);
    const place = { file, root, path: [...path, name] };
    return child === undefined ? [] : keysIn(child, value[name], place);
  });
}

/** The folders without a key that this one must be apart from. */
function fixedFolders(root: string, { use }: FolderKey): { name: string; folder: string }[] {
  const names = [...(use === "content" ? [] : OTHERS), ...(use === "cache" ? [] : [CACHE])];
  return names.map((name) => ({ name, folder: resolve(root, name) }));
}

/** True for a folder of the operating system that the site is not in itself. */
function isOfSystem(root: string, folder: string): boolean {
  const [, top, second] = folder.split(sep);
  if (contains(root, folder)) return false;
  return top === "" || (SYSTEM.includes(top ?? "") && !(top === "usr" && second === "local"));
}

/** True for a folder that contains the site root: backups beside the site are not in its folders. */
function isAround(root: string, folder: string): boolean {
  return folder !== root && contains(folder, root);
}

/** True when one is inside the other, or both are equal. */
function overlaps(a: string, b: string): boolean {
  return contains(a, b) || contains(b, a);
}

function contains(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return !isAbsolute(path) && path !== ".." && !path.startsWith(`..${sep}`);
}

function problemOf({ file, path, value }: FolderKey, clash: string): SettingsProblem {
  return {
    file,
    key: formatKey(path),
    received: value,
    expected: `a folder apart from ${clash}`,
    fix: "choose a folder of its own, which contains nothing else",
  };
}
