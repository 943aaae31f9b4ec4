/** Where an export goes: nothing is overwritten, and nothing becomes part of the site by accident. */
import { lstat, readdir, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import type { SiteContext } from "#kernel";
import { errorCode } from "#kernel/internal";
import { exportError } from "../errors.js";

type Kind = "file" | "folder";

/** Checks that the place is new or empty. @throws ERR_IMPORT_OUT */
export async function assertFree(site: SiteContext, out: string, kind: Kind): Promise<void> {
  if (`${out}${sep}`.startsWith(`${site.paths.content}${sep}`)) {
    throw occupied(out, "it is in the content folder: the site would serve it");
  }
  const issue = await issueOf(out, kind);
  if (issue !== null) throw occupied(out, issue);
}

async function issueOf(out: string, kind: Kind): Promise<string | null> {
  try {
    const stats = await lstat(out);
    if (kind === "file") {
      if (!stats.isFile()) return "it is not a file";
      return stats.size === 0 ? null : "it has content";
    }
    if (!stats.isDirectory()) return "it is not a folder";
    return (await readdir(out)).length === 0 ? null : "the folder is not empty";
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return null;
    if (code === "ENOTDIR") return "a folder above it is a file";
    throw error;
  }
}

/** Removes everything from a folder that was new or empty before the export. */
export async function emptyFolder(out: string): Promise<void> {
  const names = await readdir(out).catch(() => []);
  for (const name of names) await rm(join(out, name), { recursive: true, force: true });
}

function occupied(out: string, issue: string): Error {
  return exportError("ERR_IMPORT_OUT", `cannot export to ${JSON.stringify(out)}: ${issue}`, {
    fix: "name a new or empty folder for markdown, a new file for json and wxr",
  });
}
