import assert from "node:assert/strict";
import { checkName } from "../../../plugins/codegen/command.js";
import { toKey, toTypeName, toUnion } from "../../../plugins/codegen/json-schema-type.js";

describe("names in generated code", () => {
  it("of plugins and themes are valid folders, keys and identifiers", () => {
    for (const name of ["a", "my-plugin", "b2", "a-1-b"]) {
      assert.equal(checkName(name, "plugin"), name);
    }
    const wrong = [
      "",
      "A",
      "1a",
      "a_b",
      "a--b",
      "-a",
      "a-",
      "../a",
      "a/b",
      "a\n",
      "ä",
      "a".repeat(61),
    ];
    for (const name of [...wrong, undefined]) {
      assert.throws(() => checkName(name, "theme"), {
        code: "ERR_CODEGEN_NAME",
        fix: /site codegen theme my-theme/,
      });
    }
  });

  for (const [name, type] of [
    ["my-search", "MySearch"],
    ["Sail-boat", "SailBoat"],
    ["größe_in m", "GrößeInM"],
    ["2nd", "_2nd"],
    ["*/ x", "X"],
    ["", "_"],
  ] as const) {
    it(`turns ${JSON.stringify(name)} into the type ${type}`, () => {
      assert.equal(toTypeName(name), type);
    });
  }

  it("quotes keys that are not identifiers, and texts", () => {
    assert.deepEqual(["a", "$b_1", "a-b", "1", 'a"b'].map(toKey), [
      "a",
      "$b_1",
      '"a-b"',
      '"1"',
      '"a\\"b"',
    ]);
    assert.equal(toUnion(["a", 'b"c']), '"a" | "b\\"c"');
    assert.equal(toUnion([]), "never");
  });
});
