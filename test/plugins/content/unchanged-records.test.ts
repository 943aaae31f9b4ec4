import assert from "node:assert/strict";
import { toSourceRecord, type SourceRecord } from "../../../plugins/content/source-record.js";
import { isSame, keepUnreadable } from "../../../plugins/content/unchanged-records.js";

const sourceRecord = (path: string): SourceRecord =>
  toSourceRecord({ sourcePath: path, mtimeMs: 1, size: 6 }, Buffer.from("# Text"));

describe("isSame", () => {
  const [one, two] = [sourceRecord("a.md"), sourceRecord("a.md")];

  it("is about the records themselves, not what they hold", () => {
    assert.equal(isSame(new Map([["a", one]]), new Map([["a", one]])), true);
    assert.equal(isSame(new Map([["a", one]]), new Map([["a", two]])), false);
  });

  it("sees what has come and gone", () => {
    assert.equal(isSame(undefined, new Map()), false);
    assert.equal(isSame(new Map([["a", one]]), new Map()), false);
    assert.equal(isSame(new Map([["a", one]]), new Map([["b", one]])), false);
  });
});

describe("keepUnreadable", () => {
  it("keeps what lay in a folder, and nothing of one whose name begins alike", () => {
    const record = sourceRecord("x.md");
    const before = new Map(["a/x.md", "a/b/y.md", "ab/z.md"].map((path) => [path, record]));
    const now = new Map<string, SourceRecord>();
    keepUnreadable(now, ["a"], before);
    assert.deepEqual([...now.keys()], ["a/x.md", "a/b/y.md"]);
  });
});
