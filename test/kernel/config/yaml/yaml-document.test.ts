import assert from "node:assert/strict";
import { readYaml } from "#kernel/internal";

describe("readYaml", () => {
  it("returns values, and a document whose comments survive a change", () => {
    const document = readYaml("# ours\na: 1 # one\nb: [x]\n");
    assert.deepEqual(document.toJS(), { a: 1, b: ["x"] });
    document.setIn(["a"], 2);
    assert.equal(document.toString(), "# ours\na: 2 # one\nb: [ x ]\n");
  });

  it("reports errors with their position, and never throws", () => {
    for (const text of ["a: [", "a: 1\na: 2\n", "- ".repeat(5_000), "a: 1\n---\nb: 2\n", "\t\0"]) {
      const [fault] = readYaml(text).errors;
      assert.ok(fault && fault.message !== "" && fault.pos[0] <= text.length, text.slice(0, 20));
    }
  });
});
