import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { assertPlugin } from "../../kernel/plugin.js";

describe("definePlugin", () => {
  it("returns the plugin unchanged", () => {
    const plugin = { name: "mine", version: "1.0.0" };
    assert.equal(definePlugin(plugin), plugin);
  });
});

describe("assertPlugin", () => {
  it("accepts a name, a version and no setup", () =>
    assertPlugin({ name: "a-1", version: "1.0.0" }, "x"));

  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ["nothing", undefined, /expected an object, received nothing/],
    ["null", null, /expected an object, received null/],
    ["a string", "x", /expected an object, received "x"/],
    ["no name", { version: "1.0.0" }, /"name": expected lower-case letters.*, received nothing/],
    [
      "a name with a path",
      { name: "../x", version: "1.0.0" },
      /"name": expected lower-case letters.*, received "..\/x"/,
    ],
    [
      "no version",
      { name: "mine" },
      /"mine": "version": expected a version such as 1.0.0, received nothing/,
    ],
  ];
  for (const [what, value, message] of wrong) {
    it(`rejects ${what}, naming the origin`, () =>
      assert.throws(
        () => assertPlugin(value, "./plugins/x.ts"),
        (error) => {
          assert.ok(error instanceof Error && "code" in error);
          assert.equal(error.code, "ERR_PLUGIN_INVALID");
          assert.match(error.message, message);
          assert.match(error.message, /^\.\/plugins\/x\.ts: /);
          return true;
        },
      ));
  }
});
