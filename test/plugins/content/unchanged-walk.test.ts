import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readTree, type KeptRecords } from "../../../plugins/content/read-tree.js";
import { runAtOnce } from "../../../plugins/content/slices.js";
import { unchangedWalk } from "../../../plugins/content/unchanged-walk.js";
import { contentRules } from "../../support/content-tree.js";

describe("content: a tree in which no folder has changed", () => {
  const now = Date.now;
  let root = "";
  let kept: KeptRecords;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "site-unchanged-"));
    write("01.a/default.md", "01.a/b/post.md", "c/picture.jpg");
    // The time of a folder that has just changed tells nothing: the clock moves instead.
    Date.now = () => now() + 5000;
    kept = { records: new Map(), folders: new Map(), check: "file", before: now() + 5000 };
    kept = { ...kept, ...read() };
  });
  afterEach(() => {
    Date.now = now;
    rmSync(root, { recursive: true, force: true });
  });

  it("holds the files it held, and none of them is read again", () => {
    assert.notEqual(walk(), null);
    const again = read();
    assert.deepEqual([...again.records], [...kept.records]);
    for (const [path, record] of again.records) assert.equal(record, kept.records.get(path), path);
    assert.deepEqual(again.folders, kept.folders);
  });

  it("has its changed files read, and those that are gone left out", () => {
    writeFileSync(join(root, "01.a/default.md"), "other text");
    assert.notEqual(walk(), null);
    assert.notEqual(read().records.get("01.a/default.md"), kept.records.get("01.a/default.md"));
  });

  const changes: Readonly<Record<string, () => void>> = {
    "a file came": () => write("01.a/b/new.md"),
    "a file went": () => rmSync(join(root, "01.a/b/post.md")),
    "a file was renamed": () => renameSync(join(root, "c/picture.jpg"), join(root, "c/page.md")),
    "a folder came": () => write("d/e/new.md"),
    "a folder went": () => rmSync(join(root, "01.a/b"), { recursive: true }),
    "a folder was renamed": () => renameSync(join(root, "01.a/b"), join(root, "01.a/z")),
    "a link came": () => symlinkSync(join(root, "01.a"), join(root, "c/link")),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`is none when ${what}`, () => {
      change();
      assert.equal(walk(), null);
      const anew = runAtOnce(readTree(rules(), null));
      assert.deepEqual([...read().records.keys()], [...anew.records.keys()]);
    });
  }

  it("is none where nothing is known of a folder, or of all", () => {
    assert.equal(runAtOnce(unchangedWalk(root, { ...kept, folders: new Map() })), null);
    const folders = new Map(kept.folders).set("c", { time: -1, hasOthers: false });
    assert.equal(runAtOnce(unchangedWalk(root, { ...kept, folders })), null);
  });

  const rules = () => ({ ...contentRules, root, isReserved: () => false });
  const walk = () => runAtOnce(unchangedWalk(root, kept));
  const read = () => runAtOnce(readTree(rules(), kept));

  function write(...files: string[]): void {
    for (const file of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), "text");
    }
  }
});
