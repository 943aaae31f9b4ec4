import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A fresh temporary folder for each test of one `describe`. */
export function useFolder(): { readonly path: string } {
  const folder = { path: "" };
  beforeEach(async () => {
    folder.path = await mkdtemp(join(tmpdir(), "site-test-"));
  });
  afterEach(() => rm(folder.path, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
