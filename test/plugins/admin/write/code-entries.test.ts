import assert from "node:assert/strict";
import { assertMayNameCode } from "../../../../plugins/admin/write/code-entries.js";

describe("assertMayNameCode", () => {
  const none = new Set<never>();
  for (const [before, after, isAllowed] of [
    ["title: A\n", "title: B\n", true],
    ["plugins: [a]\n", "# why\nplugins:\n  - a\n", true],
    ["theme: { name: a }\n", "theme: { name: b }\n", true],
    ["plugins: [a]\n", "plugins: [a, b]\n", false],
    ["plugins: [a]\n", "title: A\n", false],
    ["theme: { name: a }\n", "theme: { name: a, src: ./b }\n", false],
    ["title: A\n", "themes: [{ src: ./b }]\n", false],
    ["a: [\n", "plugins: [b]\n", false],
    ["a: [\n", "title: A\n", true],
  ] as const) {
    it(`${isAllowed ? "allows" : "refuses"} ${JSON.stringify(before)} to ${JSON.stringify(after)}`, () => {
      const change = () => assertMayNameCode(none, { before, after });
      if (isAllowed) change();
      else assert.throws(change, { status: 403, code: "ERR_ADMIN_FORBIDDEN" });
    });
  }

  it("allows everything with plugins.manage", () => {
    const change = { before: "", after: "plugins: [a]\n" };
    assertMayNameCode(new Set(["plugins.manage"] as const), change);
  });
});
