import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runAtOnce } from "#lib/concurrency";
import { LayeredMap } from "../../../../plugins/content/index/layered-map.js";
import { readPaths } from "../../../../plugins/content/read/read-paths.js";
import type { SourceRecord } from "../../../../plugins/content/read/source-record.js";
import { contentRules, recordsOf } from "../../../support/content/content-tree.js";
import { useFolder } from "../../../support/folder.js";

describe("readPaths", () => {
  const folder = useFolder();

  it("reads reported files down to 100 levels, like a walk", async () => {
    const deep = "d/".repeat(99);
    for (const path of [`${deep}page.md`, `${deep}d/page.md`]) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true });
      await writeFile(join(folder.path, path), "x");
    }
    const rules = { ...contentRules, root: folder.path };
    const known = new LayeredMap(new Map<string, SourceRecord>());
    const found = runAtOnce(
      readPaths([`${deep}page.md`, `${deep}d/page.md`], rules, {
        records: known,
        echoes: new Set(),
      }),
    );
    assert.deepEqual(
      found.changed.map(({ sourcePath }) => sourcePath),
      [`${deep}page.md`],
    );
  });

  it("reports the media of the folder above when a file has become a folder", async () => {
    await mkdir(join(folder.path, "a/note"), { recursive: true });
    const rules = { ...contentRules, root: folder.path };
    const known = new LayeredMap(new Map<string, SourceRecord>());
    const found = runAtOnce(readPaths(["a/note"], rules, { records: known, echoes: new Set() }));
    assert.deepEqual([...found.media].sort(), ["a", "a/note"]);
  });

  it("finds the deleted files below each of many folders", () => {
    const paths = Array.from({ length: 30 }, (_, at) => [
      `${at}/page.md`,
      `${at}/sub/page.md`,
    ]).flat();
    const records = new LayeredMap(recordsOf(Object.fromEntries(paths.map((path) => [path, "x"]))));
    const rules = { ...contentRules, root: folder.path };
    const gone = Array.from({ length: 28 }, (_, at) => String(at));
    const found = runAtOnce(readPaths(gone, rules, { records, echoes: new Set() }));
    assert.deepEqual(
      found.removed.toSorted(),
      paths.filter((path) => !/^(?:28|29)\//.test(path)).toSorted(),
    );
  });
});
