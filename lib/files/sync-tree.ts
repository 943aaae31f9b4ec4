import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "./files.js";

/** Makes all files below a folder durable, and their names: for files that other programs have written. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncFile(path);
  }
  await syncFolder(folder);
}

/** Makes the contents of a file durable that another program has written. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
