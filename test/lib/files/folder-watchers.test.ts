import assert from "node:assert/strict";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FolderWatchers } from "#lib/files";
import { runAtOnce } from "#lib/concurrency";
import { deferred, type Deferred } from "../../support/deferred.js";
import { useFolder } from "../../support/folder.js";

describe("FolderWatchers", () => {
  const folder = useFolder();
  let watchers: FolderWatchers;
  let waiting: { path: string; seen: Deferred<void> } | null = null;
  const errors: unknown[] = [];
  const files: string[] = [];

  /** Resolves once a change of the path is reported. */
  function told(path: string): Promise<void> {
    waiting = { path, seen: deferred() };
    return waiting.seen.promise;
  }

  beforeEach(async () => {
    errors.length = 0;
    files.length = 0;
    await mkdir(join(folder.path, "a/b"), { recursive: true });
    await mkdir(join(folder.path, ".git/objects"), { recursive: true });
    await mkdir(join(folder.path, "ab"));
    watchers = new FolderWatchers({
      root: folder.path,
      onPath: (path) => {
        if (path === waiting?.path) waiting.seen.resolve();
      },
      onError: (error) => errors.push(error),
      onUnreadable: (path) => errors.push(path),
      isWatched: (path) => !path.startsWith("."),
      onFile: (path) => files.push(path),
    });
  });
  afterEach(() => watchers.close());

  it("watches a folder and all below it, but no folder that is left out", () => {
    runAtOnce(watchers.add(""));
    const watched = ["", "a", "a/b", "ab", ".git", ".git/objects", "gone"].map((path) =>
      watchers.has(path),
    );
    assert.deepEqual(watched, [true, true, true, true, false, false, false]);
  });

  it("names the file that has changed", async () => {
    runAtOnce(watchers.add(""));
    for (const path of ["top.md", "a/b/post.md"]) {
      const change = told(path);
      await writeFile(join(folder.path, path), "x");
      await change;
    }
    assert.deepEqual(errors, []);
  });

  it("reports the files of a folder that it begins to watch", async () => {
    runAtOnce(watchers.add(""));
    await mkdir(join(folder.path, "new/deep"), { recursive: true });
    await writeFile(join(folder.path, "new/deep/post.md"), "x");
    runAtOnce(watchers.follow("new"));
    assert.deepEqual(files, ["new/deep/post.md"]);
    assert.equal(watchers.has("new/deep"), true);
  });

  it("follows links only when asked, and none to a folder above them", async () => {
    await mkdir(join(folder.path, "real"));
    await writeFile(join(folder.path, "real/file.ts"), "x");
    const root = join(folder.path, "a");
    for (const [to, name] of [
      ["../real", "folder"],
      ["../real/file.ts", "file.ts"],
      ["..", "above"],
      ["nowhere", "broken"],
    ] as const)
      await symlink(to, join(root, name));
    for (const followsLinks of [false, true]) {
      const own = new FolderWatchers({
        root,
        followsLinks,
        // As users of the watchers do: a file that is replaced needs a new watch.
        onPath: (path) => {
          runAtOnce(own.follow(path));
          if (path === waiting?.path) waiting.seen.resolve();
        },
        onError: (error) => errors.push(error),
        onUnreadable: (path) => errors.push(path),
      });
      runAtOnce(own.add(""));
      const names = ["folder", "file.ts", "above", "broken"];
      const expected = followsLinks ? ["folder", "file.ts"] : [];
      assert.deepEqual(
        names.filter((name) => own.has(name)),
        expected,
      );
      for (const path of followsLinks ? ["folder/file.ts", "file.ts"] : []) {
        const change = told(path);
        await writeFile(join(folder.path, "real/new.ts"), path);
        await rename(join(folder.path, "real/new.ts"), join(folder.path, "real/file.ts"));
        await change;
      }
      own.close();
    }
    assert.deepEqual(errors, []);
  });

  it("ends the watches of a folder and its subfolders, not of folders with the same prefix", () => {
    runAtOnce(watchers.add(""));
    watchers.remove("a");
    assert.deepEqual(
      ["", "a", "a/b", "ab"].map((path) => watchers.has(path)),
      [true, false, false, true],
    );
  });

  it("skips deleted folders", () => {
    runAtOnce(watchers.add("gone"));
    assert.equal(watchers.has("gone"), false);
    assert.deepEqual(errors, []);
  });

  it("watches nothing once it is closed", () => {
    runAtOnce(watchers.add(""));
    watchers.close();
    runAtOnce(watchers.add(""));
    assert.equal(watchers.has(""), false);
  });
});
