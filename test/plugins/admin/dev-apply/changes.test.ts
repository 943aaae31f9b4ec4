import assert from "node:assert/strict";
import { describeChange, parseChange } from "../../../../plugins/admin/dev-apply/changes.js";

describe("parseChange", () => {
  for (const value of [
    { op: "write", path: "content/a.md", content: "" },
    { op: "delete", path: "a" },
    { op: "frontmatter", path: "a", patch: {} },
    { op: "config", key: "a", value: null },
    { op: "plugin.install", spec: "npm:a@1" },
  ]) {
    it(`parses op ${value.op}`, () => {
      const parsed = parseChange(value);
      assert.ok("change" in parsed);
      assert.equal(describeChange(parsed.change).op, value.op);
    });
  }
  for (const value of [
    null,
    7,
    [],
    {},
    { op: "run" },
    { op: "write", path: "a" },
    { op: "write", path: ["a"], content: "x" },
    { op: "frontmatter", path: "a", patch: [] },
  ]) {
    it(`reports what is wrong with ${JSON.stringify(value)}`, () => {
      const parsed = parseChange(value);
      assert.ok("error" in parsed && parsed.error.length > 5);
    });
  }
});
