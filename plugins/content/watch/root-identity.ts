/** Identifies the folder at a path, which may be replaced by another one of the same name. */
import { lstatSync, statSync, type Stats } from "node:fs";

/**
 * Identifies the folder at a path; null without one. Follows links. A recreated folder may have the
 * same inode number, but its watch reports the deletion.
 */
export function identityOf(path: string): string | null {
  try {
    const stats = statSync(path);
    if (!stats.isDirectory()) return null;
    return `${stats.dev}:${stats.ino}`;
  } catch {
    return null;
  }
}

/** `lstat` of a path; null when it does not exist or cannot be read. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
