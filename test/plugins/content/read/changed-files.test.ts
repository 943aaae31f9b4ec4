import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runAtOnce } from "#lib/concurrency";
import {
  changedFiles,
  readTree,
  type CachedTree,
} from "../../../../plugins/content/read/read-tree.js";
import { contentRules } from "../../../support/content/content-tree.js";

describe("content: a tree without changed folders", () => {
  const now = Date.now;
  let root = "";
  let kept: CachedTree;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "site-unchanged-"));
    write("01.a/default.md", "01.a/b/post.md", "c/picture.jpg");
    // The time of a just-changed folder is unreliable, so the clock moves instead.
    Date.now = () => now() + 5000;
    kept = { records: new Map(), folders: new Map(), check: "file", before: now() + 5000 };
    kept = { ...kept, ...read() };
  });
  afterEach(() => {
    Date.now = now;
    rmSync(root, { recursive: true, force: true });
  });

  it("has the same files and reads none again", () => {
    assert.deepEqual(changed(), { changed: [], removed: [], problems: [] });
  });

  it("reads changed files, including those with only a new time", () => {
    writeFileSync(join(root, "01.a/default.md"), "other text");
    utimesSync(join(root, "01.a/b/post.md"), 1, 1);
    const paths = changed()?.changed.map(({ sourcePath }) => sourcePath);
    assert.deepEqual(paths?.sort(), ["01.a/b/post.md", "01.a/default.md"]);
  });

  it("reads files written shortly before the last read", () => {
    const file = join(root, "01.a/b/post.md");
    utimesSync(file, 1000, 1000);
    kept = { ...kept, ...read() };
    writeFileSync(file, "TEXT");
    utimesSync(file, 1000, 1000);
    assert.equal(changed()?.changed.length, 0);
    kept = { ...kept, before: 1_000_000 };
    assert.equal(changed()?.changed.length, 1);
  });

  it("is null in mode hash", () => {
    assert.equal(runAtOnce(changedFiles(root, { ...kept, check: "hash" })), null);
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
    it(`is null when ${what}`, () => {
      change();
      assert.equal(changed(), null);
      const rebuilt = runAtOnce(readTree(rules(), null));
      assert.deepEqual([...read().records.keys()], [...rebuilt.records.keys()]);
    });
  }

  it("is null when one or all folders are unknown", () => {
    assert.equal(runAtOnce(changedFiles(root, { ...kept, folders: new Map() })), null);
    const folders = new Map(kept.folders).set("c", { time: -1, hasOthers: false });
    assert.equal(runAtOnce(changedFiles(root, { ...kept, folders })), null);
  });

  const rules = () => ({ ...contentRules, root, isReserved: () => false });
  const changed = () => runAtOnce(changedFiles(root, kept));
  const read = () => runAtOnce(readTree(rules(), kept));

  function write(...files: string[]): void {
    for (const file of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), "text");
    }
  }
});
