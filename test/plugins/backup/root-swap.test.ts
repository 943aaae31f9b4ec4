import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RootSwap, undoInterruptedSwap } from "../../../plugins/backup/restore/root-swap.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { useFolder } from "../../support/folder.js";

async function put(root: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Path to text of all files, without the locks. */
async function filesOf(root: string): Promise<Record<string, string>> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && !entry.name.endsWith(".lock"));
  const pairs = files.map(async (entry) => {
    const file = join(entry.parentPath, entry.name);
    return [file.slice(root.length + 1), await readFile(file, "utf8")] as const;
  });
  return Object.fromEntries((await Promise.all(pairs)).toSorted());
}

const OLD = { "a.md": "old a", "b/c.md": "old c", "gone.md": "old gone" };
const NEW = { "a.md": "new a", "b/c.md": "new c", "d/e/f.md": "new f" };
const AFTER = { "a.md": "new a", "b/c.md": "new c", "d/e/f.md": "new f" };

describe("RootSwap", () => {
  const folder = useFolder();
  beforeEach(() => put(folder.path, OLD));

  async function swap(commit?: () => Promise<void>): Promise<void> {
    const swapped = await RootSwap.begin(folder.path);
    try {
      await put(swapped.staging, NEW);
      await swapped.apply({ place: Object.keys(NEW), remove: ["gone.md"] }, commit);
    } finally {
      await swapped.close();
    }
  }

  it("replaces, adds and deletes files, and leaves nothing else", async () => {
    await swap();
    assert.deepEqual(await filesOf(folder.path), AFTER);
    assert.ok(!existsSync(join(folder.path, ".dune/swap")));
  });

  it("does not undo a journal that names a file outside of the root", async () => {
    for (const path of ["../x", "a/../../x", "/etc/x"]) {
      const journal = { place: [{ path, had: false }], remove: [], folders: [] };
      await put(folder.path, { ".dune/swap/journal.json": JSON.stringify(journal) });
      await assert.rejects(undoInterruptedSwap(folder.path), { code: "ERR_ROOT_SWAP" });
    }
  });

  it("creates folders for their owner only, unless others may read a file in them", async () => {
    const umask = process.umask(0o022);
    const modeOf = async (path: string): Promise<number> =>
      (await stat(join(folder.path, path))).mode & 0o777;
    try {
      const swapped = await RootSwap.begin(folder.path);
      const place = ["data/users/a.json", "data/users/by-email/a.json", "pages/x/a.md"];
      await put(swapped.staging, Object.fromEntries(place.map((path) => [path, ""])));
      for (const path of place.slice(0, 2)) await chmod(join(swapped.staging, path), 0o600);
      await swapped.apply({ place, remove: [] });
      await swapped.close();
      for (const path of ["data", "data/users", "data/users/by-email", ".dune"]) {
        assert.equal(await modeOf(path), 0o700, path);
      }
      for (const path of ["pages", "pages/x"]) assert.equal(await modeOf(path), 0o755, path);
    } finally {
      process.umask(umask);
    }
  });

  it("brings all files back when the commit fails", async () => {
    const failing = async (): Promise<void> => {
      assert.deepEqual((await filesOf(folder.path))["a.md"], "new a");
      throw new Error("no");
    };
    await assert.rejects(swap(failing), /no/);
    assert.deepEqual(await filesOf(folder.path), OLD);
    assert.ok(!existsSync(join(folder.path, "d")));
  });

  it("brings all files back when a file cannot be put in place", async () => {
    const swapped = await RootSwap.begin(folder.path);
    await put(swapped.staging, NEW);
    await rm(join(swapped.staging, "d/e/f.md"));
    await assert.rejects(swapped.apply({ place: Object.keys(NEW), remove: ["gone.md"] }));
    await swapped.close();
    assert.deepEqual(await filesOf(folder.path), OLD);
  });

  it("lets no second process change the root", async () => {
    const first = await RootSwap.begin(folder.path);
    await assert.rejects(RootSwap.begin(folder.path), { code: "ERR_ROOT_SWAP" });
    await first.close();
  });

  // The state on disk after each rename of an interrupted swap.
  for (let moved = 0; moved <= Object.keys(NEW).length; moved += 1) {
    it(`is undone by the next start when it ended after ${moved} files`, async () => {
      const swapped = await RootSwap.begin(folder.path);
      await put(swapped.staging, NEW);
      await assert.rejects(
        swapped.apply({ place: Object.keys(NEW), remove: ["gone.md"] }, async () => {
          // As a killed process leaves it: without the undo that follows a failure.
          await rename(join(folder.path, ".dune/swap"), join(folder.path, "saved"));
          throw new Error("killed");
        }),
      );
      await swapped.close();
      await rename(join(folder.path, "saved"), join(folder.path, ".dune/swap"));
      for (const path of Object.keys(NEW).slice(moved)) {
        await mkdir(dirname(join(folder.path, ".dune/swap/new", path)), { recursive: true });
        await rename(join(folder.path, path), join(folder.path, ".dune/swap/new", path));
      }
      await undoInterruptedSwap(folder.path);
      assert.deepEqual(await filesOf(folder.path), OLD);
      await undoInterruptedSwap(folder.path);
      assert.deepEqual(await filesOf(folder.path), OLD);
    });
  }

  it("is undone before the configuration is read", async () => {
    await put(folder.path, {
      "site.yaml": "title: New\n",
      ".dune/swap/old/site.yaml": "title: Old\n",
      ".dune/swap/journal.json": JSON.stringify({
        place: [{ path: "site.yaml", had: true }],
        remove: [],
        folders: [],
      }),
    });
    const site = await bootSite({ root: folder.path, plugins: ["pages"] });
    assert.equal(site.site.context("pages").settings.site.title, "Old");
    await site.close();
  });

  it("names a damaged journal", async () => {
    await put(folder.path, { ".dune/swap/journal.json": "{" });
    await assert.rejects(undoInterruptedSwap(folder.path), { code: "ERR_ROOT_SWAP" });
  });
});
