/** Which folder a path leads to now: it may be exchanged for another one of the same name. */
import { lstatSync, statSync, type Stats } from "node:fs";

/**
 * What tells the folder at a path from others; null when there is none. Links are followed. A folder that
 * was deleted and created again may have the same number: its watch reports that it was deleted.
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

/** Facts of a path, its last link not followed; null when there is none, or it cannot be asked. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
