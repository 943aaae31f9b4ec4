import assert from "node:assert/strict";
import {
  toSourceRecord,
  type SourceRecord,
} from "../../../../plugins/content/read/source-record.js";
import { isNearlySame, keepUnreadable } from "../../../../plugins/content/index/content-store.js";

const sourceRecord = (path: string): SourceRecord =>
  toSourceRecord({ sourcePath: path, mtimeMs: 1, size: 6 }, Buffer.from("# Text"));

describe("isNearlySame", () => {
  const many = (count: number): Map<string, SourceRecord> =>
    new Map(Array.from({ length: count }, (_, at) => [`${at}.md`, sourceRecord(`${at}.md`)]));

  it("tolerates one changed file of a hundred, and none of fewer", () => {
    for (const [count, expected] of [
      [100, true],
      [99, false],
    ] as const) {
      const kept = many(count);
      const now = new Map(kept).set("7.md", sourceRecord("7.md"));
      assert.equal(isNearlySame(kept, kept), true);
      assert.equal(isNearlySame(kept, now), expected, `of ${count}`);
    }
  });

  it("tolerates no added or removed file", () => {
    const kept = many(1000);
    const renamed = new Map(kept).set("new.md", sourceRecord("new.md"));
    assert.equal(isNearlySame(kept, renamed), false);
    renamed.delete("7.md");
    assert.equal(isNearlySame(kept, renamed), false);
  });
});

describe("keepUnreadable", () => {
  it("retains the records of a folder, but not of one with the same prefix", () => {
    const record = sourceRecord("x.md");
    const before = new Map(["a/x.md", "a/b/y.md", "ab/z.md"].map((path) => [path, record]));
    const now = new Map<string, SourceRecord>();
    keepUnreadable(now, ["a"], before);
    assert.deepEqual([...now.keys()], ["a/x.md", "a/b/y.md"]);
  });
});
