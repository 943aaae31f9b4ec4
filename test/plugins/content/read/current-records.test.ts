import assert from "node:assert/strict";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CurrentRecords, type TrustedRecords } from "../../../../plugins/content/read/read-tree.js";
import type { SourceRecord } from "../../../../plugins/content/read/source-record.js";
import { useFolder } from "../../../support/folder.js";

describe("content: the current record of a file", () => {
  const folder = useFolder();
  const file = (): string => join(folder.path, "a.md");
  let before: SourceRecord;
  beforeEach(() => {
    write("# One", 1000);
    before = recordOf(null) ?? assert.fail();
  });

  it("is the earlier record while time and size are unchanged", () => {
    write("# Two", 1000);
    assert.equal(recordOf({ check: "file" }), before);
  });

  it("is read when the time or the size has changed", () => {
    write("# Two", 1001);
    assert.equal(recordOf({ check: "file" })?.heading, "Two");
    write("# Three", 1000);
    assert.equal(recordOf({ check: "file" })?.heading, "Three");
  });

  it("is read when the time is unreliable, or in mode hash", () => {
    write("# Two", 1000);
    assert.equal(recordOf({ check: "file", before: 1_000_000 })?.heading, "Two");
    assert.equal(recordOf({ check: "hash" })?.heading, "Two");
  });

  it("is the earlier record when the bytes are unchanged", () => {
    assert.equal(recordOf({ check: "hash" }), before);
    write("# One", 1001);
    const now = recordOf({ check: "hash" });
    assert.notEqual(now, before);
    assert.equal(now?.mtimeMs, 1_001_000);
  });

  it("is null when the file was deleted", () => {
    rmSync(file());
    assert.equal(recordOf({ check: "file" }), null);
  });

  function recordOf(trusted: Partial<TrustedRecords> | null): SourceRecord | null {
    const records = new Map([["a.md", before]]);
    const all = trusted && { records, check: "file" as const, before: Infinity, ...trusted };
    return new CurrentRecords(all).of({ sourcePath: "a.md", file: file() });
  }

  function write(text: string, seconds: number): void {
    writeFileSync(file(), text);
    utimesSync(file(), seconds, seconds);
  }
});
