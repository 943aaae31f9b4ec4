import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Runs `work` in a temporary folder with these files, and resolves with its result. */
export async function inFolder<T>(
  files: Readonly<Record<string, string>>,
  work: (root: string) => T | Promise<T>,
): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), "folder-"));
  try {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
    }
    return await work(root);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
