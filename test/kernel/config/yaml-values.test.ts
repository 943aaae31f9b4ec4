import assert from "node:assert/strict";
import { parseDocument } from "yaml";
import { readValues } from "../../../kernel/config/yaml-source.js";

const read = (text: string) => readValues(parseDocument(text));

describe("the values of a YAML document", () => {
  it("are those in the text, with references resolved", () => {
    assert.deepEqual(read("a: &x [1, two, null, true]\nb: { c: *x }\n7: n"), {
      value: { a: [1, "two", null, true], b: { c: [1, "two", null, true] }, "7": "n" },
      faults: [],
    });
  });

  it("of an empty document are undefined", () => {
    assert.deepEqual(read(""), { value: null, faults: [] });
  });

  it("are counted, so that references cannot multiply them", () => {
    const wide = `a: &a [${"1,".repeat(900)}]\nb: [${"*a,".repeat(90)}]`;
    assert.equal(read(wide).faults.length, 1);
  });

  it("may be referenced a hundred times", () => {
    assert.deepEqual(read(`a: &a 1\nb: [${"*a,".repeat(100)}]`).faults, []);
    assert.equal(read(`a: &a 1\nb: [${"*a,".repeat(101)}]`).faults.length, 1);
  });

  it("are at most 64 levels deep", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    assert.deepEqual(read(nested(64)).faults, []);
    assert.equal(read(nested(65)).faults.length, 1);
  });

  it("report the offset of a problem", () => {
    assert.deepEqual(
      read("a: 1\nprototype: 2").faults.map(({ offset, key }) => [offset, key]),
      [[5, "prototype"]],
    );
  });
});
