import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FolderWatchers } from "../../../../plugins/content/watch/folder-watchers.js";
import { runAtOnce } from "../../../../plugins/content/index/slices.js";
import { deferred, type Deferred } from "../../../support/deferred.js";
import { useFolder } from "../../../support/folder.js";

describe("FolderWatchers", () => {
  const folder = useFolder();
  let watchers: FolderWatchers;
  let waiting: { path: string; seen: Deferred<void> } | null = null;
  const errors: unknown[] = [];

  /** Resolves once a change of the path is reported. */
  function told(path: string): Promise<void> {
    waiting = { path, seen: deferred() };
    return waiting.seen.promise;
  }

  beforeEach(async () => {
    errors.length = 0;
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
    });
  });
  afterEach(() => watchers.close());

  it("watches a folder and all below it, but nothing hidden", () => {
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
