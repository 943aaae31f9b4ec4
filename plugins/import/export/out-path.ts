/** Where an export goes: nothing is overwritten, and nothing becomes part of the site by accident. */
import { lstat, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { SiteContext } from "#kernel";
import { errorCode } from "#kernel/internal";
import { exportError } from "../errors.js";

type Kind = "file" | "folder";
/** Name, or end of the name, of an incomplete export. */
const STAGE = ".export-partial";

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
    return (await readdir(out)).every((name) => name === STAGE) ? null : "the folder is not empty";
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return null;
    if (code === "ENOTDIR") return "a folder above it is a file";
    throw error;
  }
}

/** A folder that is filled elsewhere first: a killed export leaves no folder that looks complete. */
export interface StagedFolder {
  /** Absolute path to write to. */
  readonly path: string;
  /** Moves everything to its place. */
  publish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Prepares a folder for an export, and removes what a killed one left in its stage. */
export async function stageFolder(out: string): Promise<StagedFolder> {
  const isNew = (await lstat(out).catch(() => null)) === null;
  // An existing folder may be a mount point or a working directory, which cannot be replaced.
  const path = isNew ? join(dirname(out), `.${basename(out)}${STAGE}`) : join(out, STAGE);
  const discard = (): Promise<void> => rm(path, { recursive: true, force: true });
  await discard();
  const publish = (): Promise<void> => (isNew ? rename(path, out) : moveUp(path, out));
  return { path, publish, discard };
}

async function moveUp(path: string, out: string): Promise<void> {
  for (const name of await readdir(path)) await rename(join(path, name), join(out, name));
  await rmdir(path);
}

function occupied(out: string, issue: string): Error {
  return exportError("ERR_IMPORT_OUT", `cannot export to ${JSON.stringify(out)}: ${issue}`, {
    fix: "name a new or empty folder for markdown, a new file for json and wxr",
    exitCode: 2,
  });
}
