import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runAtOnce } from "#lib/concurrency";
import {
  haveNewTimes,
  FolderCache,
  walkTree,
  type TreeRules,
  type Walk,
} from "../../../../plugins/content/read/walk.js";

describe("content: folders that are not listed again", () => {
  const now = Date.now;
  let root = "";
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), "site-kept-"))));
  afterEach(() => {
    Date.now = now;
    rmSync(root, { recursive: true, force: true });
  });

  it("a walk finds the same files and folders with or without cached listings", () => {
    write("01.a/default.md", "01.a/b/post.md", "c/d/e/f.md", "c/picture.jpg", "empty/.hidden/x.md");
    laterBy(3000);
    const first = walk();
    const second = walk(first);
    assert.deepEqual(paths(second), paths(first));
    assert.deepEqual(second.folders, first.folders);
  });

  it("does not list a folder with an unchanged time", () => {
    write("a/one.md", "b/two.md");
    laterBy(3000);
    const first = walk();
    const changed = {
      ...first,
      files: first.files.filter(({ sourcePath }) => sourcePath !== "a/one.md"),
    };
    assert.deepEqual(paths(walk(changed)), ["b/two.md"]);
  });

  it("an unlisted folder retains its files other than pages", () => {
    write("a/one.md", "a/picture.png", "b/two.md");
    laterBy(3000);
    const again = walk(walk());
    assert.deepEqual(
      [again.folders.get("a")?.hasOthers, again.folders.get("b")?.hasOthers],
      [true, false],
    );
    write("b/late.png");
    assert.equal(walk(again).folders.get("b")?.hasOthers, true);
  });

  it("detects created, deleted and renamed files and folders", () => {
    write("a/one.md", "a/gone.md", "b/c/two.md", "d/e/three.md");
    laterBy(3000);
    const first = walk();
    write("a/new.md", "b/x/y/four.md");
    rmSync(join(root, "a/gone.md"));
    renameSync(join(root, "d/e"), join(root, "d/f"));
    assert.deepEqual(paths(walk(first)), [
      "a/new.md",
      "a/one.md",
      "b/c/two.md",
      "b/x/y/four.md",
      "d/f/three.md",
    ]);
  });

  it("lists a folder again that changed shortly before the walk", () => {
    write("a/one.md");
    assert.equal(walk().folders.get("a")?.time, -1);
  });

  it("the first walk reads no times, and the next one lists every folder", () => {
    write("a/one.md", "b/two.md");
    laterBy(3000);
    const first = runAtOnce(walkTree(rulesOf(), "", "untimed"));
    assert.deepEqual(
      [...first.folders.values()].map(({ time }) => time),
      [-1, -1, -1],
    );
    write("a/three.md");
    laterBy(6000);
    const second = walk(first);
    assert.deepEqual(paths(second), ["a/one.md", "a/three.md", "b/two.md"]);
    assert.ok([...second.folders.values()].every(({ time }) => time > 0));
  });

  it("a walk has new times when it has learned the time of a folder", () => {
    write("a/one.md");
    const first = runAtOnce(walkTree(rulesOf(), "", "untimed"));
    assert.equal(haveNewTimes(new Map(), first.folders), false);
    laterBy(3000);
    const second = walk(first);
    assert.equal(haveNewTimes(first.folders, second.folders), true);
    assert.equal(haveNewTimes(second.folders, walk(second).folders), false);
    write("a/two.md");
    assert.equal(haveNewTimes(second.folders, walk(second).folders), true);
  });

  it("always lists folders behind a link", () => {
    write("real/one.md", "other/two.md");
    symlinkSync(join(root, "real"), join(root, "link"));
    laterBy(3000);
    const first = walk();
    assert.equal(first.folders.get("link")?.time, -1);
    assert.equal(first.folders.get("")?.time, -1);
    assert.notEqual(first.folders.get("real")?.time, -1);
    rmSync(join(root, "link"));
    symlinkSync(join(root, "other"), join(root, "link"));
    assert.deepEqual(paths(walk(first)), ["link/two.md", "other/two.md", "real/one.md"]);
  });

  it("finds a folder that is no longer reserved", () => {
    write("a/one.md", "data/two.md");
    laterBy(3000);
    const first = walk(null, (path) => path === "data");
    assert.deepEqual(paths(first), ["a/one.md"]);
    assert.deepEqual(paths(walk(first)), ["a/one.md", "data/two.md"]);
  });

  /** The system sets the time of a folder's change: the clock moves instead. */
  function laterBy(ms: number): void {
    Date.now = () => now() + ms;
  }

  function walk(before: Walk | null = null, isReserved = (_path: string): boolean => false): Walk {
    const rules = rulesOf(isReserved);
    const files = before?.files.map(({ sourcePath }) => sourcePath) ?? [];
    return runAtOnce(walkTree(rules, "", before && new FolderCache(before.folders, files)));
  }

  function rulesOf(isReserved = (_path: string): boolean => false): TreeRules {
    return {
      root,
      isReserved,
      formats: new Set(["md"]),
      codeFormats: new Set(),
      languages: ["en"],
      defaultLanguage: "en",
    };
  }

  function write(...files: string[]): void {
    for (const file of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), "text");
    }
  }
});

function paths({ files }: Walk): string[] {
  return files.map(({ sourcePath }) => sourcePath).sort();
}
