/** Moves and second names of files, on one disk or two. */
import { copyFile, link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "#lib/errors";
import { makeFolder, temporaryBeside } from "./files.js";

/**
 * Moves a file in place of another one; on another disk, too, it appears at once and complete.
 * @throws errors of the disk.
 */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    const temporary = temporaryBeside(to);
    await copyFile(from, temporary);
    const handle = await open(temporary, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, to);
    await rm(from, { force: true });
  }
}

/**
 * Gives a file a second name, under which it stays when the first one is replaced or deleted; creates the
 * folders of the name, for the user of the server only. @throws errors of the disk.
 */
export async function addName(file: string, name: string): Promise<void> {
  await makeFolder(dirname(name));
  try {
    await link(file, name);
  } catch {
    // File systems without hard links.
    await copyFile(file, name);
  }
}
